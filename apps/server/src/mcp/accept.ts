const KINDS = ["application/json", "text/event-stream"];

/** Value of `Accept` for the protocol's library, which knows no ranges: no header accepts both kinds of answers, too. */
export function accepted(header: string | undefined): string {
  const ranges = (header ?? "*/*").split(",").map((range) => range.split(";")[0]?.trim().toLowerCase());
  const isAccepted = (kind: string) => [kind, `${kind.split("/")[0]}/*`, "*/*"].some((each) => ranges.includes(each));
  return header === undefined || KINDS.every(isAccepted) ? KINDS.join(", ") : header;
}
