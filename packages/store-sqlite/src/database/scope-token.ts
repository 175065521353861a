import type { Filter, Memory, Space } from "@chest/core";
import { stateOf } from "@chest/core";

/** Mark in the token of a text row whose memory is archived. */
export const MARK = { live: "", archived: ".a", superseded: ".s" } as const;

/** The token a memory's text row carries: its space, marked when it is out of sight. */
export const scopeToken = (memory: Pick<Memory, "space" | "archivedAt" | "supersededById">): string =>
  memory.space + MARK[stateOf(memory)];

/** The scope of a row as it is stored. */
export const scopeOfRow = ({ space, archived_at, superseded_by_id }: ScopedRow): string =>
  space + MARK[superseded_by_id !== null ? "superseded" : archived_at !== null ? "archived" : "live"];

export interface ScopedRow {
  readonly space: string;
  readonly archived_at: number | null;
  readonly superseded_by_id: number | null;
}

/** The space that a token names. */
export const spaceOfToken = (token: string): string => token.split(".", 1)[0] as string;

/** Every token that a filter lets through. */
export function scopeTokens(
  spaces: readonly Space[],
  { withArchived, withSuperseded }: Pick<Filter, "withArchived" | "withSuperseded">,
): string[] {
  const marks: string[] = [MARK.live];
  if (withArchived) marks.push(MARK.archived);
  if (withSuperseded) marks.push(MARK.superseded);
  return spaces.flatMap((space) => marks.map((mark) => space + mark));
}
