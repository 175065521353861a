import { ChestError, type Scope } from "@chest/contracts";

export const noSuch = (what: "member" | "token" | "project", id: string): ChestError =>
  new ChestError("NOT_FOUND", `${what} \`${id}\` not found`, {
    hint: `\`chest-index ${what} list\` lists them`,
    details: { id },
  });

/** Error for an id that the caller may not open, or that does not exist. */
export function noSuchMemory(id: number): ChestError {
  return new ChestError("NOT_FOUND", `memory ${id} not found`, {
    hint: "find the id with `chest_recall`",
    details: { id },
  });
}

export function lacksScope(scope: Scope): ChestError {
  return new ChestError("FORBIDDEN", `this token lacks the scope \`${scope}\``, {
    hint: "ask the operator for a token with that scope",
    details: { scope },
  });
}
