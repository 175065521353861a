import { createHash } from "node:crypto";
import { constants, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { SHARED, UNSTATED_CLIENT } from "@chest/core/access";
import type { Call } from "@chest/core/executor";
import { localExecutor } from "@chest/core/pipeline";
import { type EmbeddingIdentity, type Engine, noEmbedder } from "@chest/core/ports";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { SEGMENTER_VERSION } from "@chest/core/text";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { inParallel } from "../support/in-parallel.ts";
import { ROOT } from "../support/process.ts";
import { seeded } from "../support/random.ts";
import { openSqliteEngine } from "./libraries.ts";
import { oneOf, readSections } from "./texts.ts";

const KEPT = join(ROOT, "node_modules/.chest/bench");
const PROJECTS = 100;
const LAYERS = ["context", "implementation", "learning", "realize"];
const [FEWEST_WORDS, MOST_WORDS] = [40, 120];
const AGE_MS = 180 * 86_400_000;
const AT_ONCE = 64;
/** Number of consecutive memories of a project that belong to one session. */
const PER_SESSION = 10;

/**
 * Opens a store with this many memories and projects. It is made once per schema and segmenter, then kept.
 * @param entities number of different entities; by default those that the texts are about.
 */
export async function bigStore(rows: number, projects = PROJECTS, entities?: number): Promise<string> {
  const about = entities === undefined ? "" : `-${entities}`;
  const path = join(KEPT, `${rows}-${projects}${about}-${fingerprint()}.db`);
  if (existsSync(path)) return path;
  mkdirSync(KEPT, { recursive: true });
  const draft = `${path}.${process.pid}`;
  await fill(draft, rows, projects, entities);
  rmSync(`${draft}.lock`, { force: true });
  renameSync(draft, path);
  return path;
}

/**
 * Copies a store and adds rows to the copy, once; the copy is kept.
 * @param active identity of the vectors that `fill` stores
 */
export async function storeBeside(
  plain: string,
  name: string,
  active: EmbeddingIdentity,
  fill: (engine: Engine) => Promise<void>,
): Promise<string> {
  const path = plain.replace(/\.db$/, `-${name}.db`);
  if (existsSync(path)) return path;
  const draft = `${path}.${process.pid}`;
  await copyFile(plain, draft, constants.COPYFILE_FICLONE);
  // The integrity check of a copied file must end before it can be written to.
  const engine = await openSqliteEngine({ path: draft, synchronous: "NORMAL", active, writePatienceMs: 600_000 });
  try {
    await fill(engine);
  } finally {
    await engine.close();
  }
  rmSync(`${draft}.lock`, { force: true });
  renameSync(draft, path);
  return path;
}

/** Hash of all settings that determine such a store. */
function fingerprint(): string {
  const hash = createHash("sha256").update(SEGMENTER_VERSION);
  const files = globSync(["prisma/sqlite/migrations/*/*.sql", "packages/core/src/text/*.ts"], { cwd: ROOT });
  for (const file of [...files.map((name) => join(ROOT, name)).sort(), import.meta.filename])
    hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

/** Stores memories through the tool, so that rows and index are made by the product. */
async function fill(path: string, rows: number, projects: number, entities?: number): Promise<void> {
  const startedAt = Date.now();
  let stored = 0;
  // The memories are dated evenly over the last half year.
  const clock = { now: () => new Date(startedAt - AGE_MS * (1 - stored / rows)) };
  const engine = await openSqliteEngine({ path, synchronous: "NORMAL", clock });
  const ports = {
    clock,
    embedders: () => noEmbedder,
    limits: DEFAULT_LIMITS,
    ranking: DEFAULT_RANKING,
  };
  const executor = localExecutor(TOOLS, engine, ports);
  const memory = memories(entities);
  try {
    await inParallel(Array.from({ length: rows }, memory), AT_ONCE, async (input, row) => {
      const session = `${row % projects}-${Math.floor(row / projects / PER_SESSION)}`;
      await executor.execute("chest_remember", input, callFrom(`bench/project-${row % projects}`, session));
      stored += 1;
      if (stored % 10_000 === 0) console.error(`chest: ${stored} of ${rows} memories stored`);
    });
  } finally {
    await engine.close();
  }
}

/** Generates texts from words of the packages' documentation, with their natural frequency. */
function memories(entities?: number): () => Record<string, unknown> {
  const random = seeded(1);
  const sections = readSections();
  const words = sections.flatMap(({ text }) => text.split(/\s+/));
  let count = 0;
  return () => {
    count += 1;
    const length = FEWEST_WORDS + Math.floor(random() * (MOST_WORDS - FEWEST_WORDS));
    const text = Array.from({ length }, () => oneOf(words, random)).join(" ");
    const { about } = oneOf(sections, random);
    return {
      entity_name: entities === undefined ? about : `${about} ${count % entities}`,
      entity_kind: "project",
      layer: oneOf(LAYERS, random),
      content: `${text} (note ${count})`,
      importance: random(),
      force: true,
    };
  };
}

/** Call of a client without a project, which sees all projects. */
export const EVERYWHERE: Call = {
  caller: { member: SHARED, scopes: new Set(["read", "write"]), project: undefined, client: UNSTATED_CLIENT },
  requestId: "bench",
  signal: new AbortController().signal,
};

const callFrom = (project: string, session: string): Call => ({
  caller: { member: SHARED, scopes: new Set(["read", "write"]), project, client: { ...UNSTATED_CLIENT, session } },
  requestId: "bench",
  signal: new AbortController().signal,
});
