import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** Decisive words: a text contains a fact if it has at least one alternative of every group. */
const words = z.array(z.array(z.string().min(1)).min(1));

const labelledSentence = z.object({ sentence: z.string().min(1), line: z.int().min(1) });

const lesson = labelledSentence.extend({
  id: z.string(),
  also: z.array(labelledSentence).default([]),
  said_by: z.string(),
  kind: z.string(),
  language: z.string(),
  words,
  question: z.string().min(1),
});

const noise = labelledSentence.extend({ id: z.string(), kind: z.string(), language: z.string() });

const nextSteps = z.object({
  cut_line: z.int().min(1),
  form: z.string(),
  items: z.array(z.object({ words: words.min(1) })).min(1),
});

const failure = z.object({
  id: z.string(),
  command: z.string().min(1),
  output: z.string().min(1),
  words,
  later: z.object({ output: z.string().min(1) }).optional(),
});

const labels = z.object({
  session: z.string(),
  lessons: z.array(lesson),
  not: z.array(noise),
  next_steps: z.array(nextSteps),
  failures: z.array(failure),
  /** Lines of prompts for which a lesson of an earlier session is useful. */
  prompts: z.array(z.object({ line: z.int().min(1), lessons: z.array(z.string()).min(1) })).default([]),
});

const questions = z.object({
  questions: z.array(
    z.object({
      question: z.string().min(1),
      answers: z.array(z.object({ sentence: z.string(), words })).min(1),
    }),
  ),
  never: z.array(z.string().min(1)),
});

const sources = z.array(z.object({ slug: z.string().min(1), sessions: z.array(z.object({ n: z.int().min(1) })) }));

export type Lesson = z.output<typeof lesson>;
export type Labels = z.output<typeof labels>;
export type NextSteps = z.output<typeof nextSteps>;
export type Failure = z.output<typeof failure>;
export type Words = z.output<typeof words>;

/** One line of a transcript, as Claude Code writes it. */
export interface Line {
  readonly type: string;
  readonly timestamp?: string;
  readonly cwd?: string;
  readonly isMeta?: boolean;
  readonly isCompactSummary?: boolean;
  readonly message?: { readonly content?: string | readonly Part[] };
}

export interface Part {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

export interface Session {
  readonly name: string;
  readonly lines: readonly Line[];
  readonly labels: Labels | undefined;
}

/** Sessions of one repository in order, with the labels that a human reader gave them. */
export interface Repository {
  readonly slug: string;
  readonly sessions: readonly Session[];
  readonly questions: z.output<typeof questions>;
}

/** Folder of the corpus that belongs to this repository. */
export const OWN_CORPUS = join(import.meta.dirname, "corpus");

/** Reads a folder of labelled sessions. An error names the file and its fault. */
export function readCorpus(folder: string, only: readonly string[] = []): Repository[] {
  const listed = read(join(folder, "sources.json"), sources);
  const unknown = only.filter((slug) => !listed.some((each) => each.slug === slug));
  if (unknown.length > 0) {
    const known = listed.map(({ slug }) => slug).join(", ");
    throw new Error(`no repository is called ${unknown.join(", ")}; \`${folder}\` has ${known}`);
  }
  return listed
    .filter(({ slug }) => only.length === 0 || only.includes(slug))
    .map(({ slug, sessions }) => ({
      slug,
      sessions: sessions.map(({ n }) => {
        const labelled = join(folder, "labels", `${slug}-${n}.json`);
        return {
          name: `${slug}-${n}`,
          lines: linesOf(join(folder, "sessions", slug, `${n}.jsonl`)),
          labels: existsSync(labelled) ? read(labelled, labels) : undefined,
        };
      }),
      questions: questionsOf(join(folder, "labels", `questions-${slug}.json`)),
    }));
}

const questionsOf = (file: string) => (existsSync(file) ? read(file, questions) : { questions: [], never: [] });

function linesOf(file: string): Line[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line, at) => {
    try {
      return JSON.parse(line) as Line;
    } catch {
      throw new Error(`${file}:${at + 1}: not a line of JSON`);
    }
  });
}

function read<T>(file: string, schema: z.ZodType<T>): T {
  if (!existsSync(file)) throw new Error(`${file} is missing`);
  const parsed = schema.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Text that the user typed; undefined for tool results, insertions by the host, and interruptions. */
export function promptOf({ type, isMeta, isCompactSummary, message }: Line): string | undefined {
  const content = message?.content;
  if (type !== "user" || isMeta || isCompactSummary || content === undefined) return undefined;
  if (typeof content !== "string" && content.some((part) => part.type === "tool_result")) return undefined;
  const typed = typeof content === "string" ? content : textOf(content);
  return typed === "" || /^(?:<(?!bash-)|Caveat:|\[Request)/.test(typed) ? undefined : typed;
}

export const partsOf = ({ message }: Line): readonly Part[] =>
  Array.isArray(message?.content) ? (message.content as readonly Part[]) : [];

const textOf = (parts: readonly Part[]): string =>
  parts
    .filter(({ type }) => type === "text")
    .map(({ text }) => text ?? "")
    .join("\n");
