import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Import of one file by another, by their paths. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** Erased from the running program. */
  readonly isType: boolean;
  /** Loaded when it is asked for. */
  readonly isLate: boolean;
}

const IMPORT =
  /(?:^|\n)(?:import|export)\s+(type\s+)?(?:((?:\*(?:\s+as\s+\w+)?|\w+)?\s*,?\s*(?:\{[^}]*\})?)\s*from\s+)?"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/g;
const NAMES_TYPES_ONLY = /^\{(?:\s*type\s[^,}]*,?)+\s*\}$/;

/** Imports of a file from its own package, by relative paths. */
export function importsOf(file: string): Import[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(IMPORT)].map(([, type, clause = "", early, late]) => ({
    from: file,
    to: join(dirname(file), early ?? late ?? ""),
    isType: type !== undefined || NAMES_TYPES_ONLY.test(clause.trim()),
    isLate: late !== undefined,
  }));
}

/** Sources below a folder, without tests, test support, generated and built files. */
export function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return IS_PASSED_OVER.test(entry.name) ? [] : sourcesBelow(path);
    return /\.(ts|tsx|mjs)$/.test(path) && !/\.test\.(tsx?|mjs)$/.test(path) ? [path] : [];
  });
}

const IS_PASSED_OVER = /^(?:node_modules|generated|dist|testing)$/;

/** Groups of files that import each other, by Tarjan's algorithm. */
export function circlesAmong(files: readonly string[], imports: readonly Import[]): string[][] {
  const targets = new Map(files.map((file) => [file, [] as string[]]));
  for (const { from, to } of imports) if (targets.has(to)) targets.get(from)?.push(to);
  const circles: string[][] = [];
  const stack: string[] = [];
  const open = new Set<string>();
  const numbers = new Map<string, number>();
  /** Visits a file; returns the lowest number that it leads back to. */
  const visit = (file: string): number => {
    const own = numbers.size;
    numbers.set(file, own);
    stack.push(file);
    open.add(file);
    let lowest = own;
    for (const to of targets.get(file) ?? []) {
      const number = numbers.get(to);
      if (number === undefined) lowest = Math.min(lowest, visit(to));
      else if (open.has(to)) lowest = Math.min(lowest, number);
    }
    if (lowest === own) {
      const circle = stack.splice(stack.indexOf(file));
      for (const each of circle) open.delete(each);
      if (circle.length > 1) circles.push(circle);
    }
    return lowest;
  };
  for (const file of files) if (!numbers.has(file)) visit(file);
  return circles;
}
