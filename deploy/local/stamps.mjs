import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { ROOT } from "./paths.mjs";

/** One value for what came before and the content of these files; a file that is not there counts as empty. */
export function digest(before, files) {
  const hash = createHash("sha256").update(before);
  for (const file of files) {
    const path = join(ROOT, file);
    hash.update(`\0${file}\0`).update(existsSync(path) ? readFileSync(path) : "");
  }
  return hash.digest("hex");
}

/** Every package.json of the workspace. */
export function manifests() {
  return ["package.json", ...members().map((member) => `${member}/package.json`), "e2e/package.json"];
}

/** Every source file of a package or an app, without tests and what is generated. */
export function sources() {
  return members().flatMap((member) => filesUnder(`${member}/src`));
}

function members() {
  return ["packages", "apps"].flatMap((folder) => namesIn(folder).map((name) => `${folder}/${name}`));
}

function namesIn(folder) {
  const path = join(ROOT, folder);
  return existsSync(path) ? readdirSync(path).sort() : [];
}

export function filesUnder(folder) {
  const path = join(ROOT, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes(".test."))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .filter((file) => !file.split(sep).includes("generated"))
    .sort();
}
