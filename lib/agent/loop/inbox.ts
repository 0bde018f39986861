/**
 * What was said to an agent and has not reached its model yet.
 *
 * @module
 */
import type { ContentBlock } from "../../seam/content.ts";

type Content = readonly ContentBlock[];

/** Prompts wait for the next turn, steering for the next step of the running one. */
export class Inbox {
  #prompts: Content[] = [];
  #steered: Content[] = [];
  #turn: "none" | "open" | "stopped" = "none";

  /** Whether a prompt waits for a turn. */
  get hasPrompts(): boolean {
    return this.#prompts.length > 0;
  }

  /** Whether something waits for the next step. */
  get isSteered(): boolean {
    return this.#steered.length > 0;
  }

  /** Takes a prompt in. */
  send(content: Content): void {
    this.#prompts.push(content);
  }

  /** Takes steering in: dropped in a turn that was stopped, a prompt when there is no turn. */
  steer(content: Content): void {
    if (this.#turn === "none") this.#prompts.push(content);
    else if (this.#turn === "open") this.#steered.push(content);
  }

  /** Forgets everything. */
  clear(): void {
    this.#prompts = [];
    this.#steered = [];
  }

  /** A turn begins. */
  openTurn(): void {
    this.#turn = "open";
  }

  /** The running turn takes no further step: what was steered is dropped, from now until it is over. */
  stopTurn(): void {
    this.#turn = "stopped";
    this.#steered = [];
  }

  /** The turn is over. What was steered too late for its last step waits for the next turn. */
  closeTurn(): void {
    this.#turn = "none";
    this.#prompts.push(...this.takeSteered());
  }

  /** Gives all prompts, oldest first. */
  takePrompts(): Content[] {
    const prompts = this.#prompts;
    this.#prompts = [];
    return prompts;
  }

  /** Gives all steering, oldest first. */
  takeSteered(): Content[] {
    const steered = this.#steered;
    this.#steered = [];
    return steered;
  }
}
