/**
 * Sections that others refer to.
 *
 * @module
 */

/** Who the agent is, for every agent of a deployment; a persona of one agent takes its place. */
export const PERSONA_SECTION = { name: "deployment:persona", order: 0 } as const;

/** What the agent runs in, before anything else. */
export const IDENTITY_SECTION = { name: "harness:identity", order: -100 } as const;
