import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cleanEnv, ROOT } from "../process.ts";

export interface Clone {
  readonly dir: string;
  remove(): void;
}

/** Makes a fresh clone of the repository, or of another checkout of it. */
export function makeBareClone(root = ROOT): Clone {
  const dir = mkdtempSync(join(tmpdir(), "chest-clone-"));
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root, encoding: "utf8" });
  for (const file of listed.split("\0").filter((name) => name !== "" && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    copyFileSync(join(root, file), join(dir, file));
  }
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Makes a clone with all packages, built by its own launcher. */
export function makeClone(): Clone {
  const clone = makeBareClone();
  const { dir } = clone;
  takeModules(dir);
  // Uses the developer's npm settings, because the starts under test have an empty HOME and may not reach a registry.
  const prepare =
    'const { prepare } = await import("./deploy/local/prepare.mjs"); await prepare("node_modules/.chest", { forDevelopers: true })';
  execFileSync("node", ["--input-type=module", "-e", prepare], {
    cwd: dir,
    env: cleanEnv({ HOME: homedir() }),
    stdio: "pipe",
  });
  return clone;
}

/** Links the packages installed here, and copies the few files that an installation modifies. */
function takeModules(dir: string): void {
  execFileSync("cp", ["-al", join(ROOT, "node_modules"), dir]);
  for (const folder of ["node_modules", "node_modules/.pnpm"]) {
    for (const entry of readdirSync(join(dir, folder), { withFileTypes: true })) {
      if (entry.isFile()) unlink(join(dir, folder, entry.name));
    }
  }
  const members = ["packages", "apps"].flatMap((top) => readdirSync(join(ROOT, top)).map((name) => join(top, name)));
  for (const folder of [...members, "e2e", "deploy/bundle"]) {
    const modules = join(folder, "node_modules");
    if (existsSync(join(ROOT, modules))) {
      cpSync(join(ROOT, modules), join(dir, modules), { recursive: true, verbatimSymlinks: true });
    }
  }
}

function unlink(file: string): void {
  copyFileSync(file, `${file}.own`);
  renameSync(`${file}.own`, file);
}
