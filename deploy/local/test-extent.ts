import { spawnSync } from "node:child_process";
import { join } from "node:path";

/**
 * Whether this run is the short one, as `npm test` is unless `CHEST_TESTS=all` is set: what is long by nature is tried
 * with fewer rounds. The nightly run takes all of it, and so does a test file that is run by its name.
 */
export const isShort = process.env.CHEST_TESTS === "short";

/** How much a short run takes, and how much every other run. */
export const inShort = <T>(short: T, whole: T): T => (isShort ? short : whole);

interface Suite {
  /** Globs of test files. */
  readonly files: readonly string[];
  /** Folders and files whose changes it judges. */
  readonly about: readonly string[];
}

/** Long suites about one part of the house, which a short run takes where that part has changed since the last nightly run. */
const SUITES: readonly Suite[] = [
  {
    files: [
      "e2e/deployment/{bare-metal,compose,compose-postgres,compose-tls,engines-parity,helm-chart,packages}.test.ts",
      "e2e/deployment/{postgres,postgres-partition,published-package,terminal,tracing}.test.ts",
    ],
    about: ["deploy/bundle", "deploy/docker", "deploy/helm", "deploy/nginx", "deploy/packages", "e2e/deployment"],
  },
  {
    files: ["e2e/deployment/doctor/{server-store,server-upkeep,server-container}.test.ts"],
    about: ["apps/cli/src/doctor", "packages/core/src/doctor", "e2e/deployment/doctor"],
  },
  {
    files: ["e2e/systems/*.test.ts"],
    about: [
      "apps/cli/src/commands/memories/import.ts",
      "packages/core/src/archive",
      "packages/core/src/tools",
      "e2e/systems",
    ],
  },
  {
    // The same contracts run over SQLite, and over PostgreSQL with row security.
    files: ["packages/store-postgres/src/whole-store/tools.test.ts", "apps/server/src/access-matrix.postgres.test.ts"],
    about: ["packages/store-postgres/src", "prisma/postgres"],
  },
];

const ABOUT_A_DAY = "26 hours ago";

/** Globs of the test files that this run leaves out. */
export function leftOut(): string[] {
  if (!isShort || !hasHistory()) return [];
  return SUITES.filter(({ about }) => !hasChanged(about)).flatMap(({ files }) => files);
}

/** A shallow clone, or a folder without git, cannot tell what has changed. */
const hasHistory = (): boolean => git("rev-parse", "--is-shallow-repository") === "false";

const hasChanged = (paths: readonly string[]): boolean =>
  git("log", "-1", `--since=${ABOUT_A_DAY}`, "--format=%H", "--", ...paths) !== "" ||
  git("status", "--porcelain", "--", ...paths) !== "";

/** Output of git; undefined if it fails. */
function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { cwd: join(import.meta.dirname, "../.."), encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
