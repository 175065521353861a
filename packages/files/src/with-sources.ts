import { ChestError } from "@chest/contracts";
import type { Next, Stage, ToolCall } from "@chest/core/executor";
import { isObject } from "@chest/core/tool";
import { summed, type VerifyResult } from "@chest/core/tools";
import type { SourceFiles } from "./source-files.ts";

type Input = Readonly<Record<string, unknown>>;
type Answer = Record<string, unknown>;

/** Time limit for reading files during a recall; files that are not compared by then are left out. */
const FLAGGED_WITHIN_MS = 200;
const AT_ONCE = 16;

/**
 * Reads the files that memories come from, beside the agent: their hashes go with what is remembered, `chest_verify`
 * compares them, and a recall says which changed since.
 */
export const withSources =
  (files: SourceFiles): Stage =>
  (asked, next) => {
    const { input } = asked;
    const at = isObject(input) ? AT[asked.tool.name] : undefined;
    return at ? at(files, { ...asked, input: input as Input }, next) : next(asked);
  };

type At = (files: SourceFiles, asked: ToolCall & { readonly input: Input }, next: Next) => Promise<Answer>;

const noted: At = async (files, asked, next) => {
  const { input, call } = asked;
  const given = textsOf(input.source);
  if (given.length === 0 || input.source_state !== undefined) return next(asked);
  const state = await Promise.all(given.map((each, at) => files.note(each, `source.${at}`, call.signal)));
  const sent = state.map(({ path, line, endLine, hash, gitCommit }) => ({
    path,
    ...(line === undefined ? {} : { line }),
    ...(endLine === undefined ? {} : { end_line: endLine }),
    hash,
    ...(gitCommit === undefined ? {} : { git_commit: gitCommit }),
  }));
  return next({ ...asked, input: { ...input, source: given, source_state: sent } });
};

/**
 * Accepts a list, a single item, or a text with commas, as tools accept lists. Other values are left for the tool to
 * refuse.
 */
function textsOf(source: unknown): string[] {
  const list = typeof source === "string" ? source.split(",") : Array.isArray(source) ? source : [];
  const texts = list.filter((each) => typeof each === "string");
  return texts.length === list.length ? texts.map((text) => text.trim()).filter((text) => text !== "") : [];
}

const verified: At = async (files, asked, next) => {
  const { input, call } = asked;
  if (input.found !== undefined) return next(asked);
  const path = typeof input.path === "string" ? { path: await files.pathOf(input.path) } : {};
  const listed = await next({ ...asked, input: { ...input, ...path } });
  const { to_check: wanted, results, ...rest } = listed as { to_check?: ToCheck[]; results?: VerifyResult[] };
  if (!wanted || !results) return listed;
  const looked = await lookAt(files, wanted, call.signal);
  const commit = input.accept ? files.commit() : undefined;
  const found = looked.flatMap(({ memory_id, path, hash }) =>
    hash === undefined ? [] : [{ memory_id, path, hash, ...(commit === undefined ? {} : { git_commit: commit }) }],
  );
  const { to_check: _, ...recorded } =
    found.length === 0
      ? { ...rest, results: [] }
      : await next({ ...asked, input: { found, ...(input.accept ? { accept: true } : {}) } });
  if (recorded.queued) return recorded;
  const isCompared = new Set(found.map(keyOf));
  const problems = new Map(looked.map((each) => [keyOf(each), each.problem]));
  const others = results
    .filter((each) => !isCompared.has(keyOf(each)))
    .map((each) => ({ ...each, message: problems.get(keyOf(each)) ?? each.message }));
  const done = recorded.results as VerifyResult[];
  return { ...rest, ...recorded, ...summed([...done, ...others]), checked: done.length };
};

interface ToCheck {
  readonly memory_id: number;
  readonly path: string;
  readonly hash: string | null;
}

interface Looked extends Pick<ToCheck, "memory_id" | "path"> {
  /** Null for a file that is gone; undefined for one that could not be read. */
  readonly hash: string | null | undefined;
  readonly problem?: string;
}

const keyOf = ({ memory_id, path }: Pick<ToCheck, "memory_id" | "path">): string => `${memory_id} ${path}`;

/** Reads each file once, however many memories come from it. */
async function lookAt(files: SourceFiles, wanted: readonly ToCheck[], signal: AbortSignal): Promise<Looked[]> {
  const paths = [...new Set(wanted.map(({ path }) => path))];
  const found = new Map<string, Pick<Looked, "hash" | "problem">>();
  const work = async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      found.set(path, await hashOrProblem(files, path, signal));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return wanted.map(({ memory_id, path }) => ({ memory_id, path, hash: undefined, ...found.get(path) }));
}

async function hashOrProblem(files: SourceFiles, path: string, signal: AbortSignal) {
  try {
    return { hash: await files.hashOf(path, signal) };
  } catch (error) {
    if (!(error instanceof ChestError)) throw error;
    return { hash: undefined, problem: error.message };
  }
}

const flagged: At = async (files, asked, next) => {
  const { input, call } = asked;
  const { source_hashes: hashes, ...answer } = await next({ ...asked, input: { ...input, with_sources: true } });
  if (input.with_sources) return { ...answer, ...(hashes === undefined ? {} : { source_hashes: hashes }) };
  const { memories } = answer;
  if (!Array.isArray(hashes) || !Array.isArray(memories)) return answer;
  const changed = await changedWithin(FLAGGED_WITHIN_MS, files, hashes, call.signal);
  if (changed.length === 0) return answer;
  const byMemory = Map.groupBy(changed, ({ memory_id }) => memory_id);
  const marked = memories.map((memory: { id: number }) => {
    const stale = byMemory.get(memory.id)?.map(({ path }) => path);
    return stale ? { ...memory, stale } : memory;
  });
  return { ...answer, memories: marked };
};

const AT: Readonly<Record<string, At>> = {
  chest_verify: verified,
  chest_recall: flagged,
  chest_remember: noted,
  chest_update_memory: noted,
};

/** Sources whose file is another one now, or gone, as far as that is known in time. */
async function changedWithin(
  ms: number,
  files: SourceFiles,
  wanted: readonly ToCheck[],
  signal: AbortSignal,
): Promise<readonly ToCheck[]> {
  const late = new AbortController();
  const changed: ToCheck[] = [];
  const timer = setTimeout(() => late.abort(), ms);
  const ended = new Promise<void>((resolve) => late.signal.addEventListener("abort", () => resolve(), { once: true }));
  const looking = Promise.all(
    wanted.map(async (each) => {
      const { hash } = await hashOrProblem(files, each.path, AbortSignal.any([signal, late.signal]));
      if (hash !== undefined && hash !== each.hash && !late.signal.aborted) changed.push(each);
    }),
  ).catch((error: unknown) => {
    if (!late.signal.aborted) throw error;
  });
  await Promise.race([looking, ended]);
  clearTimeout(timer);
  return [...changed];
}
