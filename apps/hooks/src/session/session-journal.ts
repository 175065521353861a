import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES, type Language } from "@chest/core/hooks";
import { makeFolder } from "@chest/runtime/make-folder";
import { removeOlderThan } from "@chest/runtime/remove-older";
import { isObject, textOf } from "../process/hook-input.ts";

/** Position up to which a transcript was sent: the next line and its first byte. */
export interface Cursor {
  readonly line: number;
  readonly offset: number;
}

/** State of one session on this machine. */
export interface SessionState {
  /** Ids of memories that we have put into the agent's context since the list at the start. */
  readonly shown: ReadonlySet<number>;
  /** Files for which a hook has already shown memories. */
  readonly files: ReadonlySet<string>;
  /** Language of its last prompt, or of the last prompt in any session while it has had none. */
  readonly language: Language | undefined;
  /** Language of its own last prompt. */
  readonly ownLanguage: Language | undefined;
  readonly cursor: Cursor;
  /** Blocks shown beside prompts. */
  readonly blocks: number;
  /** Edits, failures, tests and their like since the transcript was last taken. */
  readonly deeds: number;
  /** When the first of them was done, in milliseconds; undefined for none. */
  readonly since: number | undefined;
  /** Whether its first prompt decides if it continues another session. */
  readonly isPending: boolean;
  /** Whether the agent was asked to save something. */
  readonly isAsked: boolean;
  /** Folder that it began in; undefined where its host names one. */
  readonly folder: string | undefined;
  /** Project in which the session works. */
  readonly project: string | undefined;
}

type Note =
  | { readonly shown: readonly number[] }
  | { readonly file: string }
  | { readonly folder: string }
  | { readonly language: Language }
  | { readonly taken: Cursor }
  | { readonly deed: 1; readonly at: number; readonly project?: string }
  | { readonly handoff: "pending" | "decided" }
  | { readonly unsaved: "asked" }
  | { readonly context: "over" };

/** A session's notes. Each is one line, added at once, so that events that come together lose none. */
export interface Journal {
  read(): SessionState;
  note(note: Note): void;
}

const KEPT_MS = 30 * 86_400_000;
const SWEPT_ONE_IN = 50;
const MAX_SHOWN = 500;

/**
 * Opens the notes of a session. What was shown is noted by agent, as each has a context of its own.
 * @param agent id of a subagent; undefined: the session's own
 */
export function openJournal(dataDir: string, session: string, agent?: string): Journal {
  const folder = join(dataDir, "hooks");
  const file = join(folder, `${session.replace(/[^\w.-]/g, "_")}.jsonl`);
  const reader = (state: SessionState, line: string) => withNote(state, parsed(line), agent);
  const lines = () => (readOrNothing(file) ?? "").split("\n");
  return {
    read: () => lines().reduce(reader, { ...BLANK, language: lastLanguage(folder) }),
    note(note) {
      makeFolder(folder);
      const noted = agent !== undefined && isOfContext(note) ? { ...note, agent } : note;
      appendFileSync(file, `${JSON.stringify(noted)}\n`, { mode: 0o600 });
      if ("language" in note) writeFileSync(join(folder, "language"), note.language, { mode: 0o600 });
      if (Math.random() * SWEPT_ONE_IN < 1) removeOlderThan(folder, KEPT_MS);
    },
  };
}

const NOTHING_DONE = { deeds: 0, since: undefined, project: undefined };
const BLANK: SessionState = {
  shown: new Set<number>(),
  files: new Set<string>(),
  language: undefined,
  ownLanguage: undefined,
  cursor: { line: 0, offset: 0 },
  blocks: 0,
  isPending: false,
  isAsked: false,
  folder: undefined,
  ...NOTHING_DONE,
};

/** Whether a note is about what an agent has in its context, and not about the session. */
const isOfContext = (note: object): boolean => "shown" in note || "file" in note || "context" in note;

function withNote(state: SessionState, note: ReturnType<typeof parsed>, agent: string | undefined): SessionState {
  if (!note || (isOfContext(note) && note.agent !== agent)) return state;
  if (Array.isArray(note.shown)) {
    const ids = [...state.shown, ...note.shown.filter((id) => Number.isInteger(id))];
    return { ...state, shown: new Set(ids.slice(-MAX_SHOWN)), blocks: state.blocks + 1 };
  }
  if (typeof note.file === "string") return { ...state, files: new Set([...state.files, note.file]) };
  if (typeof note.folder === "string") return { ...state, folder: state.folder ?? note.folder };
  if (isLanguage(note.language)) return { ...state, language: note.language, ownLanguage: note.language };
  if (note.deed === 1) {
    const at = typeof note.at === "number" ? note.at : undefined;
    const first = state.deeds === 0 ? { since: at, project: textOf(note.project) } : {};
    return { ...state, ...first, deeds: state.deeds + 1 };
  }
  if (note.handoff !== undefined) return { ...state, isPending: note.handoff === "pending" };
  if (note.unsaved === "asked") return { ...state, isAsked: true };
  // Memories shown before a compaction are no longer in view.
  if (note.context === "over") return { ...state, shown: new Set(), files: new Set(), blocks: 0 };
  return isObject(note.taken) ? { ...state, ...NOTHING_DONE, cursor: cursorOf(note.taken) } : state;
}

const isLanguage = (value: unknown): value is Language => LANGUAGES.some((language) => language === value);

const cursorOf = ({ line, offset }: Readonly<Record<string, unknown>>): Cursor => ({
  line: Number.isSafeInteger(line) ? Number(line) : 0,
  offset: Number.isSafeInteger(offset) ? Number(offset) : 0,
});

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  if (line === "") return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // Torn by a full disk: what it said is not known, which costs a repeat at most.
  }
}

/** The language of the last prompt in any session: what a new one begins with. */
function lastLanguage(folder: string): Language | undefined {
  const text = readOrNothing(join(folder, "language"))?.trim();
  return isLanguage(text) ? text : undefined;
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // Nothing was noted yet.
  }
}
