/** Member that a token belongs to. */
export interface Member {
  readonly id: number;
  readonly name: string;
}

export type Role = "member" | "admin";

/** Member behind the token that the whole team shares. */
export const SHARED: Member = { id: 1, name: "shared" };

/** Member who can open the file itself: the only one of a store on one PC. */
export const LOCAL: Member = { id: 2, name: "local" };

/** Member in whose name maintenance changes memories: it has no token, so no caller can be it. */
export const MAINTENANCE: Member = { id: 0, name: "maintenance" };

/** There without being added, and not to be disabled: neither has a token in the book. */
export const isBuiltIn = ({ id }: Pick<Member, "id">): boolean =>
  [SHARED, LOCAL, MAINTENANCE].some((member) => member.id === id);
