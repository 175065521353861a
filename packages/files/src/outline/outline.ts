import { readFile } from "node:fs/promises";
import type { Outline } from "@chest/core/ports";
import type { Language, Parser } from "web-tree-sitter";
import { engineFile, grammarFile, grammarFor } from "./languages.ts";
import { headingsOf } from "./markdown.ts";
import { partsOf } from "./parts.ts";

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
