/**
 * The tool that Code Mode reaches all others through.
 *
 * @module
 */

/** Name that no tool but the transport of Code Mode may have, in any scope, and that no restriction may name. */
export const RUN_CODE_TOOL = "run_code";
