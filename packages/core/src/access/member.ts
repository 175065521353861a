/** Who a token belongs to. */
export interface Member {
  readonly id: number;
  readonly name: string;
}

export type Role = "member" | "admin";

/** Whoever holds the token that everyone shares. */
export const SHARED: Member = { id: 1, name: "shared" };

/** Whoever can open the file itself: the one member of a store on one PC. */
export const LOCAL: Member = { id: 2, name: "local" };

/** Whoever changes a memory when time does: no token is its, and nobody asks in its name. */
export const MAINTENANCE: Member = { id: 0, name: "maintenance" };

/** There without being added, and not to be disabled: neither has a token in the book. */
export const isBuiltIn = ({ id }: Pick<Member, "id">): boolean => id === SHARED.id || id === LOCAL.id;
