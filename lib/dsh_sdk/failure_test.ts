import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  JsonRpcProtocolError,
  JsonRpcResponseError,
  RequestTimeoutError,
  TransportClosedError,
  TransportLimitError,
} from "../json_rpc/errors.ts";
import { ProcessStartError } from "../process/errors.ts";
import { StartTimeoutError } from "../seam/opening.ts";
import { SdkProtocolError } from "./errors.ts";
import { sdkFailure } from "./failure.ts";

describe("sdkFailure()", () => {
  for (
    const [error, category] of [
      [new TransportClosedError("closed"), "transport"],
      [new TransportLimitError("message", 1), "transport"],
      [new ProcessStartError("command-missing"), "transport"],
      [new StartTimeoutError(1), "transport"],
      [new SdkProtocolError("no-message-id", {}), "protocol"],
      [new JsonRpcResponseError({ message: "TransportClosedError" }), "protocol"],
      [new JsonRpcProtocolError(), "protocol"],
      [new RequestTimeoutError("initialize", 1), "unknown"],
      [new Error("JSON-RPC input closed"), "unknown"],
      [
        Object.assign(new Error("closed"), { name: "TransportClosedError", code: "TRANSPORT_CLOSED" }),
        "unknown",
      ],
      ["JSON-RPC input closed", "unknown"],
      [undefined, "unknown"],
    ] as const
  ) {
    const name = error instanceof Error ? `${error.constructor.name} named ${error.name}` : String(error);
    it(`classifies ${name} by its class as ${category}`, () => {
      for (const stage of ["initialize", "session-run"] as const) {
        assert.deepEqual(sdkFailure(stage, error), { provider: "DSH SDK", stage, category });
      }
    });
  }
});
