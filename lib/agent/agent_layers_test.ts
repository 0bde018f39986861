import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fakeAgent } from "./agent_fixtures_test.ts";
import { AgentLayers } from "./agent_layers.ts";
import { InactiveScopeError } from "./scope/inactive_scope_error.ts";
import { openOwnerScope } from "./scope/owner_scope.ts";

function newLayers(): AgentLayers<string[]> {
  return new AgentLayers<string[]>(() => []);
}

describe("AgentLayers", () => {
  it("gives an agent the global layer and its own, and others the global one", () => {
    const layers = newLayers();
    const [agent, other] = [fakeAgent("a"), fakeAgent("a")];
    const own = layers.open(openOwnerScope("a"), agent, "the layer");
    assert.notEqual(own, layers.global);
    assert.equal(layers.of(agent), own);
    assert.equal(layers.of(other), undefined);
    const [global, ...rest] = layers.for(agent);
    assert.equal(global, layers.global);
    assert.equal(rest.length, 1);
    assert.equal(rest[0], own);
    assert.deepEqual(layers.for(other), [layers.global]);
    assert.deepEqual(layers.for(undefined), [layers.global]);
  });

  it("drops the layer of an agent when the owner closes", async () => {
    const layers = newLayers();
    const [owner, agent] = [openOwnerScope("a"), fakeAgent("a")];
    layers.open(owner, agent, "the layer");
    assert.deepEqual(owner.effects, ["the layer"]);
    assert.equal(layers.size, 1);
    await owner.close();
    assert.equal(layers.of(agent), undefined);
    assert.equal(layers.size, 0);
  });

  it("refuses a second layer of an agent", () => {
    const layers = newLayers();
    const [owner, agent] = [openOwnerScope("a"), fakeAgent("a")];
    layers.open(owner, agent, "the layer");
    assert.throws(
      () => layers.open(owner, agent, "the layer"),
      new Error('Cannot open the layer: agent "a" already has one'),
    );
    assert.deepEqual(owner.effects, ["the layer"]);
  });

  it("opens nothing for an owner that is closed", async () => {
    const layers = newLayers();
    const owner = openOwnerScope("a");
    await owner.close();
    assert.throws(() => layers.open(owner, fakeAgent("a"), "the layer"), (error) => {
      assert.ok(InactiveScopeError.is(error));
      assert.equal(error.message, 'Cannot open the layer: inactive context "a" is closed');
      return true;
    });
    assert.equal(layers.size, 0);
  });
});
