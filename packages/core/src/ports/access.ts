import type { Member } from "../access/member.ts";

export interface ProjectRow {
  readonly id: number;
  readonly key: string;
}

/** Members and projects: who there is, and what may be opened. */
export interface AccessBook {
  memberByName(name: string): Promise<Member | undefined>;
  projects(): Promise<readonly ProjectRow[]>;
}
