import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { hasPostgres } from "@chest/store-postgres/testing";

type Command = readonly [program: string, ...args: string[]];

export const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync) ?? "chromium";

/** Programs that tests need, by name, with the commands that succeed where the program is installed. */
const PROGRAMS = {
  chromium: [[CHROMIUM, "--version"]],
  docker: [
    ["docker", "info"],
    ["docker", "compose", "version"],
    ["openssl", "version"],
  ],
  mount: [["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]],
  namespaces: [
    ["unshare", "-n", "ip", "link", "set", "lo", "up"],
    ["nsenter", "-V"],
  ],
  nginx: [
    ["nginx", "-v"],
    ["openssl", "version"],
  ],
  openssl: [["openssl", "version"]],
  strace: [["strace", "-qq", "-o", "/dev/null", "true"]],
  "systemd-analyze": [["systemd-analyze", "--version"]],
  terminals: [["script", "--version"]],
} as const satisfies Readonly<Record<string, readonly Command[]>>;

const NAMES = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[];

/** Names of required programs that this machine lacks. */
export const missingHere = (): string[] => [
  ...NAMES.filter((name) => failing(PROGRAMS[name]) !== undefined),
  ...(hasPostgres() ? [] : ["postgres with pgvector"]),
];

/** Tells whether a program is installed, for `describe.skipIf(!hasProgram("nginx"))`. */
export const hasProgram = (name: keyof typeof PROGRAMS): boolean => has(name, ...PROGRAMS[name]);

/**
 * Tells whether all of these commands succeed. If `CHEST_E2E_REQUIRE` names the requirement, a missing one is an error
 * instead of a skipped test with a reason.
 */
export function has(requirement: string, ...commands: readonly Command[]): boolean {
  const missing = failing(commands);
  const required = (process.env.CHEST_E2E_REQUIRE ?? "").split(",").map((entry) => entry.trim());
  if (missing && required.includes(requirement)) {
    throw new Error(`CHEST_E2E_REQUIRE asks for ${requirement}, and \`${missing.join(" ")}\` does not work here`);
  }
  if (missing) console.warn(`[skipped] what needs ${requirement}: \`${missing.join(" ")}\` does not work here`);
  return missing === undefined;
}

const failing = (commands: readonly Command[]): Command | undefined =>
  commands.find(([program, ...args]) => spawnSync(program, args, { stdio: "ignore" }).status !== 0);
