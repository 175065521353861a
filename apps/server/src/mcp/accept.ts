const BOTH = "application/json, text/event-stream";

/** What the protocol's library is told that a client takes: no header, or one of anything, takes both kinds of answers. */
export const accepted = (given: string | undefined): string =>
  given === undefined || given.split(",").some((range) => range.trim().split(";")[0]?.trim() === "*/*") ? BOTH : given;
