import { extname } from "node:path";
import { ChestError } from "@chest/contracts";
import { besideAgent, throughStages } from "@chest/core/executor";
import { ReadingSession } from "@chest/core/files";
import type { FileSnapshot, Snapshots, Workspace } from "@chest/core/ports";
import { estimateTokens } from "@chest/core/text";
import { FILE_TOOLS, TOOLS } from "@chest/core/tools";
import { openOutline } from "@chest/files";
import { aCall } from "@chest/testing/fakes";
import type { Bench } from "../bench.ts";
import type { Figure } from "../figures.ts";
import { percentile } from "../rounds.ts";
import { historyOf, readBlobs } from "./history.ts";

const COMMITS = 300;
/** Number of commits in a conversation; each changed file is read before the change and again after it. */
const COMMITS_PER_SESSION = 10;

interface Tally {
  reads: number;
  whole: number;
  smart: number;
}

/**
 * Measures the tokens that `chest_read_smart` saves over reading whole files, along this repository's history. The
 * answer counts with all its JSON, the whole file without any.
 */
export const readSmart: Bench = async () => {
  const history = historyOf(COMMITS);
  const ids = history.flat().flatMap(({ before, after }) => [before, after].filter((id) => id !== undefined));
  const blobs = readBlobs([...new Set(ids)]);
  const byStatus = new Map<string, Tally>();
  const byLanguage = new Map<string, Tally>();
  const tookMs: number[] = [];
  for (let at = 0; at < history.length; at += COMMITS_PER_SESSION) {
    const agent = openAgent();
    for (const { path, before, after } of history.slice(at, at + COMMITS_PER_SESSION).flat()) {
      for (const id of [before, after]) {
        const bytes = id && blobs.get(id);
        if (!bytes) continue;
        const startedAt = performance.now();
        const answer = await agent.read(path, bytes);
        if (!answer) continue; // The file is not text.
        tookMs.push(performance.now() - startedAt);
        const whole = estimateTokens(bytes.toString("utf8"));
        const smart = estimateTokens(JSON.stringify(answer));
        add(byStatus, String(answer.status), whole, smart);
        add(byLanguage, extname(path) || "other", whole, smart);
      }
    }
  }
  const all = [...byStatus.values()].reduce(sum, NOTHING);
  const saved = percentOf(all);
  return [
    {
      name: `read-smart: ${history.length} commits, ${all.reads} reads, tokens saved`,
      value: saved,
      unit: "%",
      p50Ms: percentile(tookMs, 50),
      p95Ms: percentile(tookMs, 95),
    },
    { name: "  tokens, whole files", value: all.whole, unit: "tokens" },
    { name: "  tokens, read-smart", value: all.smart, unit: "tokens" },
    ...[...byStatus].map(figureOf),
    ...[...byLanguage]
      .filter(([, { whole }]) => whole > all.whole / 100)
      .sort(([, one], [, other]) => other.whole - one.whole)
      .map(figureOf),
  ];
};

const NOTHING: Tally = { reads: 0, whole: 0, smart: 0 };
const sum = (one: Tally, other: Tally): Tally => ({
  reads: one.reads + other.reads,
  whole: one.whole + other.whole,
  smart: one.smart + other.smart,
});
const percentOf = ({ whole, smart }: Tally): number => (100 * (whole - smart)) / Math.max(1, whole);

function add(tallies: Map<string, Tally>, name: string, whole: number, smart: number): void {
  tallies.set(name, sum(tallies.get(name) ?? NOTHING, { reads: 1, whole, smart }));
}

const figureOf = ([name, tally]: readonly [string, Tally]): Figure => ({
  name: `  ${name}: ${tally.reads} reads, ${tally.whole} tokens whole`,
  value: percentOf(tally),
  unit: "%",
});

/** Opens an agent with one conversation, whose files change as the commits did. */
function openAgent() {
  let writes = 0;
  const written = new Map<string, { readonly bytes: Uint8Array; readonly mtimeNs: string }>();
  const workspace: Workspace = {
    roots: async () => ["/"],
    async read(path) {
      const file = written.get(path);
      if (!file) throw new Error(`${path} was never written`);
      return { path, ...file };
    },
  };
  const session = new ReadingSession({ machine: "bench", session: "bench", contextMark: async () => "" });
  const snapshots = snapshotsInMemory();
  const outline = sharedOutline;
  const agent = besideAgent(FILE_TOOLS, (call) => ({
    workspace,
    outline,
    readings: session.readings(snapshots, call),
  }));
  const executor = throughStages(TOOLS, ({ tool }) => Promise.reject(new Error(`${tool.name} runs elsewhere`)), agent);
  return {
    async read(path: string, bytes: Uint8Array) {
      // A file with unchanged content was not written again, so it keeps its time.
      if (written.get(path)?.bytes !== bytes) written.set(path, { bytes, mtimeNs: String(++writes) });
      try {
        return await executor.execute("chest_read_smart", { path }, aCall());
      } catch (error) {
        if (error instanceof ChestError) return undefined;
        throw error;
      }
    },
  };
}

const sharedOutline = openOutline((grammar, error) => {
  throw new Error(`the grammar of ${grammar} failed`, { cause: error });
});

function snapshotsInMemory(): Snapshots {
  const kept = new Map<string, FileSnapshot>();
  return {
    find: async ({ path }) => ({ snapshot: kept.get(path), facts: [] }),
    async put({ path }, reading) {
      kept.set(path, { ...reading, path, lastReadAt: new Date(), readCount: 1 });
    },
    async touch({ path }, mtimeNs) {
      const known = kept.get(path);
      if (known) kept.set(path, { ...known, mtimeNs: mtimeNs ?? known.mtimeNs });
    },
  };
}
