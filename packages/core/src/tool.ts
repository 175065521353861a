import { ChestError } from "@chest/contracts";
import { z } from "zod";
import type { Caller } from "./access/caller.ts";
import { issueWords } from "./arguments/issue-words.ts";
import { emptyChoices, normalizeArguments } from "./arguments/normalize-arguments.ts";
import { isOtherName } from "./arguments/vocabulary.ts";
import type { Clock } from "./ports/clock.ts";
import type { EmbedderFor, EmbeddingIdentity } from "./ports/embedder.ts";
import type { Outline } from "./ports/files/outline.ts";
import type { Workspace } from "./ports/files/workspace.ts";
import type { Llm } from "./ports/models/llm.ts";
import type { Reranking } from "./ports/models/reranker.ts";
import type { EmbedSoon } from "./ports/pending.ts";
import type { Readings } from "./ports/readings.ts";
import type { Store } from "./ports/store.ts";
import type { Pages } from "./recall/answer/pages.ts";
import type { Ranking } from "./recall/ranking/ranking.ts";
import { wellFormed } from "./text/characters.ts";

/** Effects of a tool, as the four hints of MCP. */
export interface Effects {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
}

export interface Limits {
  /** Longest content of one memory, in UTF-16 units. */
  readonly contentChars: number;
  /** Time limit for embedding a question. */
  readonly queryEmbedMs: number;
  /** Most memories that one sweep archives. */
  readonly sweepCap: number;
  /** Age from which a turn is recalled: younger ones are still in the agent's context. */
  readonly conversationMinAgeMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  contentChars: 8_000,
  queryEmbedMs: 3_000,
  sweepCap: 200,
  conversationMinAgeMs: 20 * 60_000,
};

/** Ports of a tool that runs on the agent's machine, where the files are. */
export interface FilePorts {
  readonly workspace: Workspace;
  readonly outline: Outline;
  readonly readings: Readings;
}

/** Ports of a tool: a store bound to its caller, and the other parts it may use. */
export interface ServerPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly embedders: EmbedderFor;
  /** Writes do not embed: another step or process does. */
  readonly leavesPending?: boolean | undefined;
  /** Embeds texts that a write left without vectors. Undefined: the pending queue hands them out later. */
  readonly embedSoon?: EmbedSoon | undefined;
  /**
   * Additional identity that writes embed for. Set for a store on the agent's machine, because hooks there load no
   * model.
   */
  readonly alsoEmbeds?: EmbeddingIdentity | undefined;
  readonly limits: Limits;
  readonly ranking: Ranking;
  /** Memories for the team wait for an admin's approval. */
  readonly hasReview?: boolean | undefined;
  /** Questions that found nothing are kept. */
  readonly keepsGaps?: boolean | undefined;
  /** Undefined: pages are counted by offset. */
  readonly pages?: Pages | undefined;
  /** Undefined: answers and summaries quote stored sentences. */
  readonly llm?: Llm | undefined;
  /** Reranks the best hits; undefined: no reranking. */
  readonly rerank?: Reranking | undefined;
}

type Signalled = { readonly signal: AbortSignal };
export type ToolPorts = ServerPorts & Signalled;
export type FileToolPorts = FilePorts & Signalled;

/** A tool as a value, which MCP, REST, the client and the documentation read. */
export interface Tool<Input extends z.ZodObject, Output extends z.ZodObject, Ports = ToolPorts> {
  readonly name: string;
  readonly title: string;
  /** When to use it, and when not: at most 60 words. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly effects: Effects;
  /** Whether a call with these arguments changes nothing, for a tool that can also write. */
  readsOnly?(input: Readonly<Record<string, unknown>>): boolean;
  /** Default arguments of calls over MCP. */
  readonly overMcp?: Partial<z.input<Input>>;
  /** Throws for input that can be refused without the store, in tools whose `run` asks the store first. */
  judge?(input: z.output<Input>, limits: Limits): void;
  run(input: z.output<Input>, ports: Ports, caller: Caller): Promise<z.input<Output>>;
  /** Renders an answer as text. Stored text goes into a `dataBlock`. */
  text(answer: z.output<Output>): string;
}

/** A tool without its schema types, for lists and executors. */
export interface AnyTool<Ports = ToolPorts & FileToolPorts> {
  /** Whether the tool works on the store or on the agent's machine. */
  readonly site: "server" | "client";
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly effects: Effects;
  /** Whether a call with these arguments changes nothing, for a tool that can also write. */
  readsOnly?(input: Readonly<Record<string, unknown>>): boolean;
  readonly overMcp?: Readonly<Record<string, unknown>>;
  judge(input: Record<string, unknown>, limits: Limits): void;
  run(input: Record<string, unknown>, ports: Ports, caller: Caller): Promise<Record<string, unknown>>;
  /** Renders an answer as text; as JSON if it does not have this release's form. */
  text(answer: Record<string, unknown>): string;
}

/** @param site `client` for a tool about files that runs on the store, with what a client has read of the files. */
export const defineTool = <I extends z.ZodObject, O extends z.ZodObject>(
  tool: Tool<I, O>,
  site: AnyTool["site"] = "server",
): AnyTool<ToolPorts> => defineAt(site, tool);

/** Defines a tool that runs on the agent's machine and uses only files. */
export const defineFileTool = <I extends z.ZodObject, O extends z.ZodObject>(
  tool: Tool<I, O, FileToolPorts>,
): AnyTool<FileToolPorts> => defineAt("client", tool);

function defineAt<I extends z.ZodObject, O extends z.ZodObject, P>(
  site: AnyTool["site"],
  tool: Tool<I, O, P>,
): AnyTool<P> {
  // The cast is safe, because `run` only receives what `readInput` parsed with this schema. The strict schema is built
  // once, because building compiles it.
  return {
    ...tool,
    site,
    input: tool.input.strict(),
    judge: (input, limits) => tool.judge?.(input as z.output<I>, limits),
    run: (input, ports, caller) => tool.run(input as z.output<I>, ports, caller),
    text(answer) {
      const { success, data } = tool.output.safeParse(answer);
      return success ? tool.text(data) : JSON.stringify(answer);
    },
  };
}

/** A tool's arguments without those that only clients add, as agents see them. */
export function listedInput({ shape }: z.ZodObject): z.ZodObject {
  return z.strictObject(Object.fromEntries(listedNames(shape).map((name) => [name, shape[name] as z.ZodType])));
}

const listedNames = (shape: z.ZodObject["shape"]): string[] =>
  Object.keys(shape).filter((name) => (shape[name] as z.ZodType).meta()?.fromClients !== true);

const MAX_ISSUES = 20;
/** Several times as many as any tool has: each unknown one is compared with all known ones. */
const MOST_ARGUMENTS = 200;
/** Longer names resemble none. */
const LONGEST_NAME = 80;

/** Arguments that some hosts add to every call, such as the model's reasoning or progress. */
const OF_HOSTS = new Set(
  "explanation reasoning rationale thought thoughts task_progress requires_approval wait_for_previous security_risk".split(
    " ",
  ),
);

type Reads = Pick<AnyTool, "input" | "effects">;

/** Arguments of one call: as they are meant, and which of them no tool has. */
export interface NormalizedArguments {
  readonly values: Readonly<Record<string, unknown>>;
  /**
   * Unknown ones, which have no effect. For a tool that archives, only those that hosts are known to add: any other one
   * may have been meant to narrow the call, so the call is refused.
   */
  readonly strangers: readonly string[];
}

export function normalizeCall({ input, effects }: Reads, raw: unknown): NormalizedArguments {
  if (!isObject(raw)) throw notAnObject();
  const count = Object.keys(raw).length;
  if (count > MOST_ARGUMENTS)
    throw invalid([{ path: "", message: `there are ${count} arguments, the limit is ${MOST_ARGUMENTS}` }], {
      limit: MOST_ARGUMENTS,
      actual: count,
    });
  const values = normalizeArguments(input, raw);
  const { shape } = input;
  const strangers = Object.keys(values).filter((name) => {
    if (Object.hasOwn(shape, name) || name in Object.prototype) return false;
    if (OF_HOSTS.has(name)) return true;
    return !(effects.destructive || isOtherName(shape, name)) && likeliest(name, listedNames(shape)) === undefined;
  });
  return { values, strangers };
}

/** Parses a call's arguments without the strange ones; throws `VALIDATION_ERROR` with every wrong field. */
export function parseCall({ input }: Reads, { values, strangers }: NormalizedArguments): Record<string, unknown> {
  const strange = new Set(strangers);
  const own =
    strangers.length === 0 ? values : Object.fromEntries(Object.entries(values).filter(([name]) => !strange.has(name)));
  const empty = emptyChoices(input, own);
  if (empty.length === 0) return readFields(input, own);
  throw invalid(
    empty.map(({ name }) => ({ path: name, message: "names nothing" })),
    {},
    empty[0]?.hint,
  );
}

/** Reads and parses a call's arguments in one step. */
export const readInput = (tool: Reads, input: unknown): Record<string, unknown> =>
  parseCall(tool, normalizeCall(tool, input));

/** Reads fields by a schema; `VALIDATION_ERROR` names every field that is wrong. */
export function readFields<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  if (!isObject(input)) throw notAnObject();
  const parsed = schema.safeParse(input, { error: issueWords });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const [excess] = issues.flatMap((issue) => excessOf(issue, input) ?? []);
  const known = schema instanceof z.ZodObject ? listedNames(schema.shape) : [];
  const named = lastOfEach(issues.flatMap((issue) => readIssue(issue, input, known))).slice(0, MAX_ISSUES);
  const isUnknown = named.some(({ message }) => message === UNKNOWN) && known.length > 0;
  const names = known.map((name) => `\`${name}\``).join(", ");
  throw invalid(
    named,
    excess && { limit: excess.limit, actual: excess.actual },
    isUnknown ? `${CORRECT}; there are ${names}` : CORRECT,
  );
}

/** If a number exceeds the integers and the limit of its field, only the limit is reported, which comes last. */
const lastOfEach = (issues: readonly Issue[]): Issue[] => [
  ...new Map(issues.map((issue) => [issue.path, issue])).values(),
];

export const isObject = (input: unknown): input is Record<string, unknown> =>
  input !== null && typeof input === "object" && !Array.isArray(input);

export const notAnObject = (): ChestError => invalid([{ path: "", message: "the arguments are not a JSON object" }]);

export interface Issue {
  readonly path: string;
  readonly message: string;
}

const UNKNOWN = "is unknown";

/** Describes a zod issue for the caller, with the path of the field and without the given value. */
function readIssue(issue: z.core.$ZodIssue, input: unknown, known: readonly string[]): Issue[] {
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, MAX_ISSUES).map((key) => {
      const like = path === "" ? likeliest(key, known) : undefined;
      return {
        path: [path, wellFormed(key.slice(0, LONGEST_NAME))].filter(Boolean).join("."),
        message: `${UNKNOWN}${like ? `: did you mean \`${like}\`?` : ""}`,
      };
    });
  }
  const excess = excessOf(issue, input);
  if (!excess) return [{ path, message: issue.message }];
  return [{ path, message: `has ${excess.actual} ${excess.unit}, the limit is ${excess.limit}` }];
}

/**
 * The known name that contains the given one, is part of it, or shares a word with it: models write `entity` for
 * `entity_name`, `max_tokens` for `token_budget`, and `projct` for `project`. `pinned` occurs in answers, and
 * importance sets it.
 */
function likeliest(input: string, known: readonly string[]): string | undefined {
  if (input.length > LONGEST_NAME) return undefined;
  const plain = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, "");
  const asked = plain(input);
  if (asked.startsWith("pin") && known.includes("importance")) return "importance";
  if (asked.length < 3) return undefined;
  const wordsOf = (name: string) =>
    name
      .toLowerCase()
      .split(/[_-]/)
      .map((word) => word.replace(/s$/, ""));
  const words = wordsOf(input).filter((word) => word.length > 2);
  return (
    known.find((name) => plain(name).includes(asked) || asked.includes(plain(name))) ??
    known.find((name) => wordsOf(name).some((word) => words.includes(word))) ??
    known.find((name) => isMistyped(asked, plain(name)))
  );
}

/** Whether two names differ by one typing error, or by two from eight letters on. */
function isMistyped(input: string, name: string): boolean {
  const most = Math.min(input.length, name.length) < 4 ? 0 : input.length < 8 ? 1 : 2;
  if (Math.abs(input.length - name.length) > most) return false;
  let [before, row] = [[] as number[], Array.from({ length: name.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= input.length; i++) {
    const next = [i];
    for (let j = 1; j <= name.length; j++) {
      const isSame = input[i - 1] === name[j - 1];
      const isSwapped = input[i - 1] === name[j - 2] && input[i - 2] === name[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return (row[name.length] ?? 0) <= most;
}

interface Excess {
  readonly limit: number;
  readonly actual: number;
  readonly unit: "characters" | "items";
}

/** Limit and actual size of a value that is too long. */
function excessOf(issue: z.core.$ZodIssue, input: unknown): Excess | undefined {
  if (issue.code !== "too_big") return undefined;
  const value = issue.path.reduce<unknown>((part, key) => Object(part)[key], input);
  const limit = Number(issue.maximum);
  if (issue.origin === "string" && typeof value === "string")
    return { limit, actual: value.length, unit: "characters" };
  return issue.origin === "array" && Array.isArray(value) ? { limit, actual: value.length, unit: "items" } : undefined;
}

const CORRECT = "correct the named arguments and call again";

export function invalid(
  issues: readonly Issue[],
  extra: Readonly<Record<string, unknown>> = {},
  hint: string = CORRECT,
): ChestError {
  const message = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
  return new ChestError("VALIDATION_ERROR", message || "the arguments do not fit", {
    hint,
    details: { issues, ...extra },
  });
}
