const BOTH = "application/json, text/event-stream";

/** Value of `Accept` for the protocol's library: no header, or a full wildcard, accepts both kinds of answers. */
export const accepted = (header: string | undefined): string =>
  header === undefined || header.split(",").some((range) => range.trim().split(";")[0]?.trim() === "*/*")
    ? BOTH
    : header;
