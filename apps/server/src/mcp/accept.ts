const KINDS = ["application/json", "text/event-stream"];

/**
 * Rewrites `Accept` for the protocol's library, which understands no ranges such as `*\/*`. A missing header accepts
 * both kinds of answers.
 */
export function acceptHeader(header: string | undefined): string {
  const ranges = (header ?? "*/*").split(",").map((range) => range.split(";")[0]?.trim().toLowerCase());
  const isAccepted = (kind: string) => [kind, `${kind.split("/")[0]}/*`, "*/*"].some((each) => ranges.includes(each));
  return header === undefined || KINDS.every(isAccepted) ? KINDS.join(", ") : header;
}
