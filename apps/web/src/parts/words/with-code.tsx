import type { ReactNode } from "react";

/** Sets as code what a text has between backticks; a backtick without its other half stays. */
export function withCode(said: string): ReactNode {
  const parts = said.split("`");
  if (parts.length % 2 === 0) return said;
  return parts.map((part, at) => (at % 2 === 1 ? <code key={`${at} ${part}`}>{part}</code> : part));
}
