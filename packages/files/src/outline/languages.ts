import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    js: "javascript",
    mjs: "javascript",
    cjs: "javascript",
    jsx: "javascript",
    ts: "typescript",
    mts: "typescript",
    cts: "typescript",
    tsx: "tsx",
    py: "python",
    pyi: "python",
    go: "go",
    rs: "rust",
    java: "java",
    md: "markdown",
    markdown: "markdown",
  }),
);

/** The grammar for a file, by its extension. */
export const grammarFor = (path: string): string | undefined =>
  BY_EXTENSION.get(/\.([^.\\/]+)$/.exec(path)?.[1]?.toLowerCase() ?? "");

/** In a bundle they lie beside it; in the workspace, in the packages that build them. */
const isBundled = !import.meta.url.endsWith(".ts");

export function grammarFile(grammar: string): string {
  const file = `tree-sitter-${grammar}.wasm`;
  if (isBundled) return beside(file);
  const built = grammar === "markdown" ? "@cursorless/tree-sitter-wasms/out" : "@vscode/tree-sitter-wasm/wasm";
  return createRequire(import.meta.url).resolve(`${built}/${file}`);
}

/** The parser that reads with them. */
export const engineFile = (): string =>
  isBundled
    ? beside("web-tree-sitter.wasm")
    : createRequire(import.meta.url).resolve("web-tree-sitter/web-tree-sitter.wasm");

const beside = (file: string): string => fileURLToPath(new URL(`./grammars/${file}`, import.meta.url));
