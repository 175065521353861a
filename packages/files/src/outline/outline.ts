import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Outline, Part } from "@chest/core/ports";
import type { Language, Node, Parser } from "web-tree-sitter";
import { partsOf } from "./parts.ts";
import { rowsOf } from "./rows.ts";

// A parser takes some 0.6 µs a character, on the thread that also answers the agent.
const MOST_CHARS = 1_000_000;
const PARSE_MS = 2_000;

/** Grammars by tree-sitter. Neither the parser nor a grammar is loaded before a file wants it. */
export function openOutline(onFailure: (grammar: string, error: unknown) => void = () => {}): Outline {
  let engine: Promise<Engine> | undefined;
  const languages = new Map<string, Promise<Language>>();

  const load = async (grammar: string) => {
    engine ??= openEngine();
    const { parser, loadLanguage } = await engine;
    const known = languages.get(grammar) ?? loadLanguage(grammar);
    languages.set(grammar, known);
    return { parser, language: await known };
  };

  return {
    async partsOf(path, text) {
      const grammar = grammarFor(path);
      if (!grammar || text.length > MOST_CHARS) return undefined;
      try {
        const { parser, language } = await load(grammar);
        const until = performance.now() + PARSE_MS;
        parser.setLanguage(language);
        const tree = parser.parse(text, null, { progressCallback: () => performance.now() > until });
        if (!tree) {
          parser.reset(); // Else the next text would be taken for the rest of this one.
          return undefined;
        }
        try {
          return grammar === "markdown" ? headingsOf(tree.rootNode) : partsOf(tree.rootNode);
        } finally {
          tree.delete();
        }
      } catch (error) {
        // A file is worth reading without its grammar.
        onFailure(grammar, error);
        return undefined;
      }
    },
  };
}

interface Engine {
  readonly parser: Parser;
  loadLanguage(grammar: string): Promise<Language>;
}

async function openEngine(): Promise<Engine> {
  const { Parser, Language } = await import("web-tree-sitter");
  await Parser.init({ locateFile: engineFile });
  return {
    parser: new Parser(),
    loadLanguage: async (grammar) => Language.load(await readFile(grammarFile(grammar))),
  };
}

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
const grammarFor = (path: string): string | undefined =>
  BY_EXTENSION.get(/\.([^.\\/]+)$/.exec(path)?.[1]?.toLowerCase() ?? "");

/** In a bundle they lie beside it; in the workspace, in the packages that build them. */
const isBundled = !import.meta.url.endsWith(".ts");

function grammarFile(grammar: string): string {
  const file = `tree-sitter-${grammar}.wasm`;
  if (isBundled) return beside(file);
  const built = grammar === "markdown" ? "@cursorless/tree-sitter-wasms/out" : "@vscode/tree-sitter-wasm/wasm";
  return createRequire(import.meta.url).resolve(`${built}/${file}`);
}

/** The parser that reads with them. */
const engineFile = (): string =>
  isBundled
    ? beside("web-tree-sitter.wasm")
    : createRequire(import.meta.url).resolve("web-tree-sitter/web-tree-sitter.wasm");

const beside = (file: string): string => fileURLToPath(new URL(`./grammars/${file}`, import.meta.url));

const DEEPEST = 3;

/** A part from each heading of the first three levels to the next. What only looks like one, in a fence, is none. */
function headingsOf(root: Node): Part[] {
  const headings = [...headingsIn(root)];
  const end = rowsOf(root).end;
  return headings.map(({ name, start }, at) => ({
    kind: "heading",
    name,
    start,
    end: headings[at + 1]?.start ?? end,
  }));
}

function* headingsIn(section: Node): Generator<{ readonly name: string; readonly start: number }> {
  for (const node of section.namedChildren) {
    if (node.type === "section") yield* headingsIn(node);
    const level = levelOf(node);
    if (level === undefined || level > DEEPEST) continue;
    const name = node.childForFieldName("heading_content")?.text.trim() ?? "";
    yield { name, start: node.startPosition.row };
  }
}

function levelOf(node: Node): number | undefined {
  if (node.type !== "atx_heading" && node.type !== "setext_heading") return undefined;
  const marker = node.children.map(({ type }) => /_h(\d)_/.exec(type)?.[1]).find((level) => level !== undefined);
  return Number(marker ?? 1);
}
