import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { type Backend, startBackend } from "../../support/backend.ts";
import { withStoreFile } from "../../support/store-file.ts";
import type { Failure, Labels, Lesson, NextSteps, Repository, Session, Words } from "./corpus.ts";
import { isOf, isRowOf, tells, tellsLesson } from "./matching.ts";
import { Player, projectOf, type ShownText } from "./player.ts";

const DAY_MS = 86_400_000;
/** Longest wait for vectors; after it the evaluation goes on without them. */
const VECTORS_MS = 20_000;

/** Memory that Chest made unasked. */
export interface Row {
  readonly id: number;
  readonly content: string;
  readonly layer: string;
  readonly importance: number;
  readonly rule: string;
  readonly lessons: readonly string[];
  /** Labels of the sentences not worth keeping that the memory was made from. */
  readonly noise: readonly string[];
  /** True when the memory names a labelled failure's cause or repair. */
  readonly isRepair: boolean;
}

export interface LessonResult {
  readonly lesson: Lesson;
  readonly isKept: boolean;
  readonly isFirst: boolean;
  readonly isInThree: boolean;
  /** True when the lesson came up before the session's agent was asked to save what it found. */
  readonly isAskedFor: boolean;
}

/** Result of a question asked like an agent, without a limit. */
export interface Recall {
  readonly question: string;
  readonly rows: number;
  readonly tokens: number;
  /** Share of the answer's characters in rows that contain the right answer. */
  readonly right: number;
  readonly isFirst: boolean;
  readonly isAnswered: boolean;
}

export interface ShownLines {
  readonly event: string;
  readonly session: string;
  /** Line of the session at which the text was shown; 0 at its start. */
  readonly line: number;
  readonly text: string;
  readonly tokens: number;
  readonly usefulTokens: number;
  readonly lines: number;
  readonly usefulLines: number;
}

export interface HelpResult {
  readonly id: string;
  readonly isHelped: boolean;
  readonly text: string;
}

/** Results of playing a repository's sessions. */
export interface PlayedRepository {
  readonly slug: string;
  readonly rows: readonly Row[];
  /** Number of journal rows, which recall reads only on request. */
  readonly noted: number;
  readonly lessons: readonly LessonResult[];
  readonly recalls: readonly Recall[];
  /** Questions about subjects that never came up. */
  readonly never: readonly { readonly question: string; readonly rows: number }[];
  readonly shown: readonly ShownLines[];
  readonly prompts: readonly HelpResult[];
  readonly again: readonly HelpResult[];
  readonly later: readonly HelpResult[];
  readonly steps: readonly {
    readonly session: string;
    readonly form: string;
    readonly items: readonly boolean[];
    readonly text: string;
  }[];
  readonly hooksMs: readonly number[];
  readonly odd: readonly string[];
  readonly late: number;
}

/** Plays a repository's sessions as one week on a new backend, and measures the results. */
export async function playRepository(repository: Repository): Promise<PlayedRepository> {
  // The backend embeds with its default model, as when it is installed.
  const backend = await startBackend({
    env: { CHEST_EMBED_MODEL: undefined, CHEST_RATE_LIMIT: "0", CHEST_RATE_LIMIT_WRITES: "0" },
  });
  const players: Player[] = [];
  const player = (project: string) => {
    const made = new Player(backend, project);
    players.push(made);
    return made;
  };
  try {
    return await played(repository, backend, player);
  } finally {
    for (const each of players) each.remove();
    await backend.stop();
  }
}

async function played(
  repository: Repository,
  backend: Backend,
  player: (project: string) => Player,
): Promise<PlayedRepository> {
  const { slug, sessions, questions } = repository;
  const now = Date.now();
  const week = player(slug);
  for (const [at, { name, lines }] of sessions.entries()) {
    await week.play(name, lines, now - ((sessions.length - at) * 7 * DAY_MS) / (sessions.length + 1));
    await untilEmbedded(backend, projectOf(slug));
  }

  const labels = sessions.flatMap((session) => session.labels ?? []);
  const lessons = labels.flatMap((label) => label.lessons);
  const failures = labels.flatMap((label) => label.failures);
  const stored = await rowsOf(backend, projectOf(slug));
  const rows = stored.memories.map((row) => ({
    ...row,
    lessons: lessons.filter((lesson) => isRowOf(row.content, lesson)).map(({ id }) => id),
    noise: labels
      .flatMap((label) => label.not)
      .filter(({ sentence }) => isOf(row.content, sentence))
      .map(({ kind }) => kind),
    isRepair: failures.some(({ words }) => tells(row.content, words)),
  }));
  const ask = (query: string, more: object = {}) =>
    recall(backend, projectOf(slug), { query, mark_accessed: false, ...more });
  const askedFor = saidBeforeAsked(week.shown, labels);
  const asked: LessonResult[] = [];
  for (const lesson of lessons) {
    const hits = await ask(lesson.question, { limit: 3, max_tokens: 4000 });
    const isHit = (text: string) => tellsLesson(text, lesson);
    const isKept = rows.some((row) => row.lessons.includes(lesson.id));
    const isAskedFor = askedFor.has(lesson.id);
    asked.push({ lesson, isKept, isFirst: hits.slice(0, 1).some(isHit), isInThree: hits.some(isHit), isAskedFor });
  }
  const recalls: Recall[] = [];
  for (const { question, answers } of questions.questions)
    recalls.push(
      recalled(question, await ask(question), (text) =>
        answers.some(({ words, sentence }) => tells(text, words) || isOf(text, sentence)),
      ),
    );
  for (const lesson of lessons)
    recalls.push(recalled(lesson.question, await ask(lesson.question), (text) => tellsLesson(text, lesson)));
  const never: PlayedRepository["never"][number][] = [];
  for (const question of questions.never) never.push({ question, rows: (await ask(question)).length });

  const shown = week.shown.filter(({ event }) => event === "SessionStart" || event === "UserPromptSubmit");
  const steps = labels.flatMap((label) => label.next_steps.flatMap(({ items }) => items));
  const helpful = [...steps, ...failures].map(({ words }) => words);
  const again = await failAgain(week, failures, slug);
  return {
    slug,
    rows,
    noted: stored.noted,
    lessons: asked,
    recalls,
    never,
    shown: shown.map((each) => usefulness(each, lessons, helpful)),
    prompts: helpedPrompts(week.shown, sessions, lessons),
    ...again,
    steps: await goOn(sessions, player, now),
    hooksMs: [...week.took],
    odd: [...week.odd],
    late: week.late,
  };
}

/** Repeats the same failures, and varied later ones, each in a new session. */
async function failAgain(week: Player, failures: readonly Failure[], slug: string) {
  const [again, later]: [HelpResult[], HelpResult[]] = [[], []];
  for (const [at, { id, command, output, words, later: varied }] of failures.entries()) {
    const text = await week.fail(`again-${slug}-${at}`, command, output);
    again.push({ id, isHelped: tells(text, words), text });
    if (!varied) continue;
    const then = await week.fail(`later-${slug}-${at}`, command, varied.output);
    later.push({ id, isHelped: tells(then, words), text: then });
  }
  return { again, later };
}

/** Ends sessions after a turn that named the next step, each in a new project, and starts a following session there. */
async function goOn(sessions: readonly Session[], player: (project: string) => Player, now: number) {
  const cuts = sessions.flatMap((session) => (session.labels?.next_steps ?? []).map((cut) => ({ session, cut })));
  const results: PlayedRepository["steps"][number][] = [];
  for (const [at, { session, cut }] of cuts.entries())
    results.push(await goneOn(player(`next-${at}`), session, cut, now));
  return results;
}

async function goneOn(player: Player, { name, lines }: Session, { cut_line, form, items }: NextSteps, now: number) {
  await player.play(`${name}-before`, lines.slice(0, cut_line), now - DAY_MS / 2);
  const text = `${await player.start(`${name}-after`)}\n${await player.prompt(`${name}-after`, "continue")}`;
  return { session: name, form, items: items.map(({ words }) => tells(text, words)), text };
}

function recalled(question: string, hits: readonly string[], isRight: (text: string) => boolean): Recall {
  const characters = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0);
  const right = hits.filter(isRight);
  return {
    question,
    rows: hits.length,
    tokens: countTokens(hits.join("\n")),
    right: hits.length === 0 ? 0 : characters(right) / characters(hits),
    isFirst: hits.slice(0, 1).some(isRight),
    isAnswered: right.length > 0,
  };
}

/** @param others useful texts besides lessons: next steps, causes and repairs of failures */
function usefulness(
  { event, session, line, text }: ShownText,
  lessons: readonly Lesson[],
  others: readonly Words[],
): ShownLines {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const isUseful = (line: string) =>
    lessons.some((lesson) => tellsLesson(line, lesson)) || others.some((words) => tells(line, words));
  const useful = lines.filter(isUseful);
  const entries = entriesOf(lines);
  return {
    event,
    session,
    line,
    text,
    tokens: countTokens(text),
    usefulTokens: countTokens(useful.join("\n")),
    lines: entries.length,
    usefulLines: entries.filter(isUseful).length,
  };
}

/** Lists the lines that show a memory's words or head. The lines around them cost tokens but count as no entry. */
function entriesOf(lines: readonly string[]): string[] {
  const entries: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (/^- \[\w+\] /.test(lines[at - 1] ?? "") && line.startsWith("  ")) entries[entries.length - 1] += `\n${line}`;
    else if (/^\s*(?:[-*•\d]|\[)/.test(line)) entries.push(line);
  }
  return entries;
}

/** Tells whether a prompt was shown the lessons that it needs. */
function helpedPrompts(
  shown: readonly ShownText[],
  sessions: readonly Session[],
  lessons: readonly Lesson[],
): HelpResult[] {
  return sessions.flatMap(({ name, labels }) =>
    (labels?.prompts ?? []).map((prompt) => {
      const seen = shown.filter(({ session, line }) => session === name && line <= prompt.line);
      const text = seen.map((each) => each.text).join("\n");
      const wanted = lessons.filter(({ id }) => prompt.lessons.includes(id));
      return { id: `${name}:${prompt.line}`, isHelped: wanted.every((lesson) => tellsLesson(text, lesson)), text };
    }),
  );
}

/** Line that asks an agent to save what its session found out, in any language. */
const ASKS_TO_SAVE = /^Chest.*chest_remember/m;

/** Ids of the lessons that came up in a session before its agent was asked to save what it found. */
function saidBeforeAsked(shown: readonly ShownText[], labels: readonly Labels[]): ReadonlySet<string> {
  const asks = shown.filter(({ event, text }) => event === "UserPromptSubmit" && ASKS_TO_SAVE.test(text));
  return new Set(
    asks.flatMap(({ session, line }) =>
      labels
        .filter((label) => label.session === session)
        .flatMap(({ lessons }) => lessons.filter((lesson) => saidAt(lesson) < line).map(({ id }) => id)),
    ),
  );
}

const saidAt = ({ line, also }: Lesson): number => Math.min(line, ...also.map((each) => each.line));

/* ---------------------------------------------------------------- the backend */

interface StoredRow {
  readonly id: number;
  readonly content: string;
  readonly layer: string;
  readonly importance: number;
  readonly rule: string;
}

/** Reads the live rows of a project: memories that its list shows, and the number of further rows in its journal. */
async function rowsOf(backend: Backend, project: string): Promise<{ memories: StoredRow[]; noted: number }> {
  const listed = await listIds(backend, project, "");
  const noted = await listIds(backend, project, "&journal=true");
  const known = new Set(listed);
  const all = withStoreFile(join(backend.dataDir, "chest.db"), (db) =>
    db.prepare("SELECT id, content, layer, importance, coalesce(source, '') AS rule FROM memories ORDER BY id").all(),
  ) as StoredRow[];
  return { memories: all.filter(({ id }) => known.has(id)), noted: noted.length - listed.length };
}

async function listIds(backend: Backend, project: string, more: string): Promise<number[]> {
  const ids: number[] = [];
  for (let cursor = ""; ; ) {
    const page = (await request(backend, project, `/api/memories?limit=200${more}${cursor}`)) as {
      memories: { id: number }[];
      next_cursor?: string;
    };
    ids.push(...page.memories.map(({ id }) => id));
    if (page.next_cursor === undefined) return ids;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

/** Waits for the vectors of a session's memories, as there is time between two sessions of a week. */
async function untilEmbedded(backend: Backend, project: string): Promise<void> {
  const until = Date.now() + VECTORS_MS;
  while (Date.now() < until) {
    const { remaining } = (await request(backend, project, "/memories/pending?limit=1&cursor=0")) as {
      remaining: number;
    };
    if (remaining === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Texts of the memories in the answer to a question, in order. */
async function recall(backend: Backend, project: string, asked: object): Promise<string[]> {
  const answer = await request(backend, project, "/api/tools/chest_recall", asked);
  const { memories = [] } = (answer as { result: { memories?: { content: unknown }[] } }).result;
  return memories.map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)));
}

async function request({ url, token }: Backend, project: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      authorization: `Bearer ${token}`,
      "x-chest-project": encodeURIComponent(project),
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  return response.json();
}
