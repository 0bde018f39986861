/**
 * How to get at a model.
 *
 * @module
 */

/** How to get at a model behind an OpenAI-compatible server. */
export interface ModelAccess {
  /** Address of the server's API, below which `/chat/completions` is. */
  readonly url: string;
  /** Name of the model there. */
  readonly name: string;
  /** Goes with every request as a bearer token; left out, nothing does. Never shown. */
  readonly apiKey?: string;
}

/** Tells what is wrong with the address of a model's API, if anything is. */
export function modelUrlFault(url: string): "no-http-url" | "credentials" | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !["http:", "https:"].includes(parsed.protocol)) return "no-http-url";
  return parsed.username !== "" || parsed.password !== "" ? "credentials" : undefined;
}
