import { spawnSync } from "node:child_process";

/**
 * True when every one of these commands succeeds. Where `CHEST_E2E_REQUIRE` names the requirement, a missing one is an
 * error instead of a skipped test that says why.
 */
export function has(
  requirement: string,
  ...commands: readonly (readonly [program: string, ...args: string[]])[]
): boolean {
  const missing = commands.find(([program, ...args]) => spawnSync(program, args, { stdio: "ignore" }).status !== 0);
  const required = (process.env.CHEST_E2E_REQUIRE ?? "").split(",").map((entry) => entry.trim());
  if (missing && required.includes(requirement)) {
    throw new Error(`CHEST_E2E_REQUIRE asks for ${requirement}, and \`${missing.join(" ")}\` does not work here`);
  }
  if (missing) console.warn(`[skipped] what needs ${requirement}: \`${missing.join(" ")}\` does not work here`);
  return missing === undefined;
}
