import type { Caller } from "../access/caller.ts";
import { dayOf } from "../answers/answer-text.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import type { Memory } from "../memory/memory.ts";
import { summaryLine } from "../memory/summary-text.ts";
import type { LastWork } from "../ports/sessions.ts";
import type { Store } from "../ports/store.ts";
import type { WorkItem } from "../ports/work.ts";
import { cut } from "../text/cut.ts";
import { NOT_UNASKED, WORK_LOG_RULES } from "./briefing.ts";
import type { GitState } from "./git-state.ts";
import { workId } from "./work-reference.ts";

const MOST_WORK = 5;
const MOST_NEWS = 3;
const MOST_CHANGED = 5;
const LOOKED_AT = 40;
const DAY_MS = 86_400_000;
const WIDTH = 160;
const TITLE = 100;
const FIRST = 120;
/** News goes back no further, however long the member was away. */
const MOST_AWAY_DAYS = 14;

/** A memory of a colleague's, and the colleague's name. */
export interface News {
  readonly memory: Memory;
  readonly by: string;
}

/** One line, or several that belong together, of the block that starts a session. */
export interface KnownLine {
  /** Framed as stored data. */
  readonly text: string;
  /** The memory that the text comes from. */
  readonly id?: number | undefined;
}

export interface DashboardParts {
  readonly git: GitState | undefined;
  /** Names of plan and task files at the root of the project. */
  readonly plans: readonly string[];
  readonly work: readonly WorkItem[];
  readonly news: readonly News[];
  /** Work of the last session, which this session may continue. */
  readonly pointer: Pointer | undefined;
}

/** Unfinished work as it is offered to a new session. */
export interface Pointer extends Pick<LastWork, "session" | "createdAt" | "git"> {
  /** Whether the repository is at another commit now. */
  readonly isElsewhere: boolean;
  /** The first step that remains to be done. */
  readonly first: string | undefined;
  /** The last request, which may have been met. */
  readonly asked: string | undefined;
}

/** Summarises the state of a project in a few framed lines; empty if there is nothing to say. */
export function dashboard({ git = {}, plans, work, news, pointer }: DashboardParts, now: Date): KnownLine[] {
  const state = [
    ...gitLines(git),
    ...(plans.length > 0 ? [`plans and tasks: ${plans.join(", ")}`] : []),
    ...work
      .slice(0, MOST_WORK)
      .map((item, at) => `open work ${at + 1}. ${workId(item.id)} ${cut(item.title, TITLE)}${facts(item, now)}`),
    ...(work.length > MOST_WORK ? [`${work.length - MOST_WORK} more open: see \`chest_work\``] : []),
  ];
  const newest = news.map(({ memory: { id, layer, content, createdAt }, by }) => ({
    text: `new from ${by}, ${dayOf(createdAt.toISOString())}: [memory:${id}] (${layer}) ${summaryLine(content)}`,
    id,
  }));
  const offered = pointer ? [{ text: `- ${framed(pointerLine(pointer))}` }] : [];
  const rest = [...state.map((text) => ({ text })), ...newest].map(({ text, ...told }) => ({
    text: `- ${cut(framed(text), WIDTH + 60)}`,
    ...told,
  }));
  return [...offered, ...rest];
}

function gitLines({ branch, changed = [], dirty = changed.length, stashes = 0 }: GitState): string[] {
  if (dirty === 0 && stashes === 0) return [];
  const names = changed.slice(0, MOST_CHANGED);
  const rest = dirty > names.length && names.length > 0 ? ` and ${dirty - names.length} more` : "";
  return [
    [
      branch === undefined ? "" : `branch ${branch}`,
      dirty > 0 ? `${dirty} changed: ${names.join(", ")}${rest}` : "",
      stashes > 0 ? `${stashes} stashed` : "",
    ]
      .filter(Boolean)
      .join("; "),
  ];
}

function facts({ priority, author, createdAt }: WorkItem, now: Date): string {
  const days = Math.floor((now.getTime() - createdAt.getTime()) / DAY_MS);
  return ` (${[...(priority === 1 ? ["urgent"] : []), author, ...(days > 30 ? [`${days} days old`] : [])].join(", ")})`;
}

function pointerLine({ session, createdAt, git, isElsewhere, first, asked }: Pointer): string {
  const where = `${git.branch === undefined ? "" : ` on ${git.branch}`}${isElsewhere ? ", at another commit" : ""}`;
  const short = (text: string) => cut(text, FIRST).replace(/[.。]$/, "");
  // A request may have been met, so it is not called left.
  const request = asked === undefined ? "" : `, last asked: ${short(asked)}`;
  const left = first === undefined ? request : `, with this left: ${short(first)}`;
  return `your last session stopped on ${dayOf(createdAt.toISOString())}${where}${left}. A first prompt that goes on with it gets all; else \`chest_inspect\` with view "session" and session_id "${session}" shows it`;
}

/** Decisions, pitfalls and goals that other members stored in this project since this member's last session. */
export async function newsSince(
  session: string,
  { memories, sessions, listings }: Store,
  { member, project }: Caller,
  now: Date,
): Promise<readonly News[]> {
  if (project === undefined) return [];
  const last = await sessions.lastSeenAt(session);
  if (!last) return [];
  const since = new Date(Math.max(last.getTime(), now.getTime() - MOST_AWAY_DAYS * DAY_MS));
  const found = await memories.newest(
    {
      reach: "here",
      fromProject: project,
      layers: ["learning", "realize", "goal"],
      withoutRules: WORK_LOG_RULES,
      withoutCategory: NOT_UNASKED,
      isFlagged: false,
      minImportance: 0.5,
      since,
      withArchived: false,
      withSuperseded: false,
    },
    LOOKED_AT,
  );
  const news = found.filter(({ authorId }) => authorId !== member.id).slice(0, MOST_NEWS);
  if (news.length === 0) return [];
  const { authors } = await listings.names(news);
  return news.map((memory) => ({ memory, by: authors.get(memory.authorId) ?? "a colleague" }));
}
