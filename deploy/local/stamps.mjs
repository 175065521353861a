import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./paths.mjs";

const WEB = "apps/web";

/** One value for what came before and the content of these files; a file that is not there counts as empty. */
export function digest(before, files) {
  const all = createHash("sha256").update(before);
  for (const file of files) all.update(`\0${file}\0${contentOf(join(ROOT, file))}`);
  return all.digest("hex");
}

const known = new Map();

/** Hash of a file's content. Steps share most of their files, so each is read once as long as it stays as it is. */
function contentOf(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return "";
  const state = `${found.size} ${found.mtimeMs}`;
  const before = known.get(path);
  if (before?.state === state) return before.hash;
  const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
  known.set(path, { state, hash });
  return hash;
}

/** Files that decide which packages are installed. */
export const installInputs = () => ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests()];

/** Files that the bundles are made of, without tests and what is generated. */
export const productInputs = () => [
  ...installInputs(),
  ...[
    "deploy/bundle",
    "deploy/claude",
    "deploy/launcher",
    "deploy/local/fetched-node",
    "prisma/sqlite/migrations",
    "prisma/postgres/migrations",
  ].flatMap(filesUnder),
  "tsconfig.json",
  "prisma/sqlite/schema.prisma",
  "prisma/postgres/schema.prisma",
  ...members()
    .filter((member) => member !== WEB)
    .flatMap((member) => filesUnder(`${member}/src`)),
];

/** Files that the page in the browser is made of. */
export const pageInputs = () => [
  ...installInputs(),
  ...["packages/sdk/src", `${WEB}/src`, `${WEB}/public`].flatMap(filesUnder),
  ...["index.html", "vite.config.ts", "chat-view.ts", "tsconfig.json"].map((name) => `${WEB}/${name}`),
];

/** Every package.json of the workspace. */
function manifests() {
  const folders = [...members(), "e2e", "deploy/bundle"];
  return ["package.json", ...folders.map((folder) => `${folder}/package.json`)];
}

function members() {
  return ["packages", "apps"].flatMap((folder) => namesIn(folder).map((name) => `${folder}/${name}`));
}

function namesIn(folder) {
  const path = join(ROOT, folder);
  return existsSync(path)
    ? readdirSync(path)
        .filter((name) => name !== "node_modules")
        .sort()
    : [];
}

// A walk of our own: the one of Node goes through links, and packages are linked to each other in circles.
function filesUnder(folder) {
  const path = join(ROOT, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== "generated" && name !== "node_modules" && !name.includes(".test."))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(folder, entry.name)) : [join(folder, entry.name)]))
    .sort();
}
