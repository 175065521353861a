import type { Reach } from "../access/space.ts";

/** Question for the activity since a moment, with the most memories of each kind. */
export interface NewsQuery {
  readonly since: Date;
  readonly mostNewest: number;
  readonly mostRules: number;
  readonly mostOpened: number;
}

/** Activity since a moment that the caller may see. */
export interface News {
  /**
   * Number of live memories made since then, without session notes, by project key; undefined for no project and for
   * one that is closed to the caller.
   */
  readonly projects: readonly { readonly key: string | undefined; readonly memories: number }[];
  /** Ids of those memories, the newest first. */
  readonly newest: readonly number[];
  /** Ids of those among them that are pitfalls found by other members, the newest first. */
  readonly rules: readonly number[];
  /** How often live memories were opened, with the most opened ones. */
  readonly opened: number;
  readonly mostOpened: readonly { readonly id: number; readonly times: number }[];
}

export interface HomeReads {
  /** When the caller's member last marked the news as seen; undefined for never. */
  lookedAt(): Promise<Date | undefined>;
  news(reach: Reach, query: NewsQuery): Promise<News>;
}

export interface HomeWrites {
  /** Marks the news up to this moment as seen; an earlier moment has no effect. */
  look(at: Date): Promise<void>;
}
