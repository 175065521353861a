const BOTH = "application/json, text/event-stream";

/** The `Accept` header for the protocol's library: none, or one of anything, takes both kinds of answers. */
export const accepted = (given: string | undefined): string =>
  given === undefined || given.split(",").some((range) => range.trim().split(";")[0]?.trim() === "*/*") ? BOTH : given;
