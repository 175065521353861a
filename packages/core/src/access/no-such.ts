import { ChestError } from "@chest/contracts";

export const noSuch = (what: "member" | "token" | "project", id: string): ChestError =>
  new ChestError("NOT_FOUND", `${what} \`${id}\` not found`, {
    hint: `\`chest-index ${what} list\` lists them`,
    details: { id },
  });
