import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { innocentLines, positives } from "@chest/testing";
import { expect, it } from "vitest";
import { redact } from "../redaction/redact.ts";

const LEAST_RECALL = 1;
/** A third of what is left are secrets that examples in comments make up. Among lines of code that speak of tokens, passwords and keys, which are the hard ones. */
const MOST_FALSE = 0.01;
const ENOUGH_LINES = 2000;

const percent = (share: number) => `${(100 * share).toFixed(2)} %`;

it("takes out every secret of the corpus", () => {
  const all = positives();
  const missed = all.filter(({ text, secret }) => redact(text).includes(secret));
  const recall = 1 - missed.length / all.length;
  process.stdout.write(`secrets: ${all.length} positives, recall ${percent(recall)}\n`);

  expect(all.length).toBeGreaterThanOrEqual(1000);
  expect(missed.map(({ kind }) => kind)).toEqual([]);
  expect(recall).toBeGreaterThanOrEqual(LEAST_RECALL);
});

it("finds nothing more in what it has cleaned", () => {
  const cleaned = positives().map(({ text }) => redact(text));

  expect(cleaned.filter((text) => redact(text) !== text)).toEqual([]);
});

it("leaves what is around a secret as it was", () => {
  const [first] = positives();
  expect(redact(first?.text ?? "")).toBe("use [REDACTED] when the pipeline asks");
});

it("leaves innocent sentences and settings alone", () => {
  const changed = innocentLines().filter((line) => redact(line) !== line);

  expect(innocentLines().length).toBeGreaterThanOrEqual(450);
  expect(changed).toEqual([]);
});

it("leaves lines of real code alone, those that speak of secrets among them", () => {
  const lines = codeLines();
  const hard = lines.filter((line) => SPEAKS.test(line));
  const changed = hard.filter((line) => redact(line) !== line);
  const changedEasily = lines.filter((line) => !SPEAKS.test(line) && redact(line) !== line);
  const rate = changed.length / hard.length;
  process.stdout.write(
    `secrets: ${lines.length} innocent lines of code, ${hard.length} of them about secrets, ` +
      `false positives ${percent(rate)} there and ${changedEasily.length} elsewhere\n`,
  );

  expect(hard.length).toBeGreaterThanOrEqual(ENOUGH_LINES);
  expect(rate, changed.slice(0, 20).join("\n")).toBeLessThanOrEqual(MOST_FALSE);
  expect(changedEasily.length / lines.length, changedEasily.slice(0, 20).join("\n")).toBeLessThanOrEqual(0.0005);
});

const SPEAKS = /token|secret|passw|api.?key|authori[sz]ation|bearer|cookie|signature|credential|private.?key/i;
// Servers, clients and databases: code that handles secrets all day. Its tests are left out, since they make some up.
const FROM = [
  "hono",
  "jose",
  "undici",
  "mysql2",
  "fastify",
  "@fastify+bearer-auth",
  "@modelcontextprotocol+sdk",
  "express",
];
const EVERY = 25;
const MAX_LINE = 400;
const MAX_FILES = 3000;

/** Lines of the packages that are installed: every one that speaks of secrets, and a share of the others. */
function codeLines(): readonly string[] {
  const hard: string[] = [];
  const others: string[] = [];
  for (const file of installedFiles()) {
    for (const [at, line] of readFileSync(file, "utf8").split("\n").entries()) {
      if (line.trim() === "" || line.length > MAX_LINE) continue;
      if (SPEAKS.test(line)) hard.push(line);
      else if (at % EVERY === 0) others.push(line);
    }
  }
  return [...new Set([...hard, ...others])];
}

function installedFiles(): readonly string[] {
  const root = storeOfPackages();
  const folders = readdirSync(root)
    .filter((name) => FROM.some((wanted) => name.startsWith(`${wanted}@`)))
    .sort()
    .map((name) => join(root, name, "node_modules"));
  return folders.flatMap((folder) => sourcesBelow(folder)).slice(0, MAX_FILES);
}

const EXTENSIONS = /\.(?:[cm]?js|ts)$/;

function storeOfPackages(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const store = join(folder, "node_modules", ".pnpm");
    if (existsSync(store)) return store;
    if (dirname(folder) === folder) throw new Error("the packages are not installed");
  }
}

/** Sources below a folder, without what a package brings of others' by links. */
function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !/^(?:tests?|__tests__|fixtures?|examples?|docs?)$/.test(entry.name))
        return sourcesBelow(path);
      return entry.isFile() && EXTENSIONS.test(entry.name) ? [path] : [];
    });
}
