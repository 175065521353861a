// Test files that a short run leaves out. Plain JavaScript, since CI asks before anything is installed.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// Long suites about one part of the house: globs of test files, and the folders and files whose changes they judge, beside
// their own.
const SUITES = [
  {
    files: [
      "e2e/deployment/{bare-metal,compose,compose-postgres,compose-tls,engines-parity,helm-chart,packages}.test.ts",
      "e2e/deployment/{postgres,postgres-partition,published-package,terminal,tracing}.test.ts",
    ],
    about: [
      ...["deploy/bundle", "deploy/docker", "deploy/helm", "deploy/nginx", "deploy/packages"],
      "e2e/support/deployment",
    ],
  },
  {
    files: ["e2e/deployment/doctor/{server-store,server-maintenance,server-container}.test.ts"],
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
    // The same contracts run over SQLite, and the engine's own over PostgreSQL.
    files: [
      "packages/store-postgres/src/whole-store/{row-security,tools,two-engines}.test.ts",
      "apps/server/src/access-matrix.postgres.test.ts",
    ],
    about: ["packages/store-postgres/src", "packages/store/src", "packages/testing/src", "prisma/postgres"],
  },
  {
    // `page.test.ts` opens every view in every run.
    files: ["e2e/page/{admin,chat-view,daily,replay,tasks}.test.ts"],
    about: ["apps/server/src/routes", "apps/web", "e2e/page", "e2e/support/page", "packages/core/src/views"],
  },
  {
    // `npm-start.test.ts` sets up one agent in every run.
    files: [
      "e2e/deployment/{hints,own-authority,setup,setup-llm,setup-odd-homes}.test.ts",
      "e2e/deployment/doctor/client.test.ts",
    ],
    about: [
      "apps/cli/src/agents",
      "apps/cli/src/connect",
      "apps/cli/src/doctor",
      "apps/cli/src/files",
      "deploy/local",
      // How tests are run, and nothing of a start.
      ...["test-*", "left-out.mjs", "longest-first.ts", "reporter.mjs"].map((file) => `:(exclude)deploy/local/${file}`),
      "e2e/support/deployment",
      "packages/core/src/doctor",
    ],
  },
];

// The nightly run has seen what is older, and may have begun late.
const SINCE_THE_NIGHTLY_RUN = "26 hours ago";

/** Globs of the suites that a short run leaves out: nothing that they are about has changed since the last nightly run. */
export function leftOut() {
  if (!hasHistory()) return [];
  return SUITES.filter(({ about, files }) => !hasChanged([...about, ...files.flatMap(spelledOut)])).flatMap(
    ({ files }) => files,
  );
}

/** A shallow clone, or a folder without git, cannot tell what has changed. */
const hasHistory = () => git("rev-parse", "--is-shallow-repository") === "false";

const hasChanged = (paths) =>
  git("log", "-1", `--since=${SINCE_THE_NIGHTLY_RUN}`, "--format=%H", "--", ...paths) !== "" ||
  git("status", "--porcelain", "--", ...paths) !== "";

/** The files of a glob with one list in braces, which git does not read. */
function spelledOut(glob) {
  const [, before = glob, names = "", after = ""] = /^(.*)\{(.*)\}(.*)$/.exec(glob) ?? [];
  return names.split(",").map((name) => `${before}${name}${after}`);
}

/** Output of git; undefined where it fails. */
function git(...args) {
  const { status, stdout } = spawnSync("git", args, { cwd: join(import.meta.dirname, "../.."), encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log(leftOut().join("\n"));
