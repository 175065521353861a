import type { Reach } from "../access/space.ts";

/** Sums of what happened since a moment, as far as a caller may see it. */
export interface News {
  /** Live memories made since then, notes of sessions aside, by the project's key; undefined for none and for one that is closed to the caller. */
  readonly projects: readonly { readonly key: string | undefined; readonly memories: number }[];
  /** How often live memories were opened, and which of them most. */
  readonly opened: number;
  readonly mostOpened: readonly { readonly id: number; readonly times: number }[];
}

export interface HomeReads {
  /** When the caller's member last said that it has seen what was new; undefined for never. */
  lookedAt(): Promise<Date | undefined>;
  news(reach: Reach, since: Date): Promise<News>;
}

export interface HomeWrites {
  /** Notes that the caller's member has seen what was new until then; an earlier moment than the noted one changes nothing. */
  look(at: Date): Promise<void>;
}
