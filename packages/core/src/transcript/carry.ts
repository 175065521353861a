import type { Episode } from "./episode.ts";
import type { FailedRun } from "./failed-runs.ts";
import type { Aside } from "./next-steps.ts";

/** State of an extraction over the earlier lines: kept with the session, so that only new lines travel. Redacted. */
export interface Carry {
  readonly version: 1;
  /** Key of the project in which the statement was made; empty for none. */
  project?: string | undefined;
  /** Number of sessions in which it continued. */
  part?: number | undefined;
  cwd?: string | undefined;
  branch?: string | undefined;
  /** Milliseconds: the last time stamp that was one. */
  at?: number | undefined;
  /** Latest request that was not noise, with the key of its turn. */
  intent?: { text: string; key: string } | undefined;
  first?: string | undefined;
  prompts: number;
  /** Counts by rule. */
  found: Record<string, number>;
  /** Edits by path, the busiest fifty. */
  files: Record<string, number>;
  /** Latest edit of each path: edits in one burst, or for one prompt, are one. */
  bursts: Record<string, { key: string; at: number }>;
  /** Words of the agent before its present action, and the prompt they belong to. */
  said?: { text: string; intent?: string | undefined } | undefined;
  /**
   * Decisions and pitfalls, first lines of finished episodes, and next steps in the agent's words. Latest last; steps
   * line by line.
   */
  learned?: string[] | undefined;
  /** Statements that became memories, latest last: a restatement in other words is not stored again. */
  stated?: string[] | undefined;
  /** Results of tools and edits since the latest request. */
  worked?: number | undefined;
  edited?: number | undefined;
  done?: string[] | undefined;
  next?: string | undefined;
  /** Kind of the latest request, if it leaves the work where it is; `farewell` for thanks, too. */
  aside?: Aside | undefined;
  errors: number;
  /** Failed commands by their signature. */
  failing: {
    command: string;
    error: string;
    key: string;
    files: string[];
    /** Words of the agent before it edited them. */
    how?: string | undefined;
    /** Commands that were run since, and may have mended it. */
    ran?: string[] | undefined;
    /** Number of requests when it failed. */
    prompts?: number | undefined;
    /** Whether its tool's use has failed, and not yet gone well. */
    isOpen: boolean;
    /** Whether something was edited or run between its failure and its success. */
    isMended?: boolean | undefined;
  }[];
  /** Commands that failed and have not gone well since, latest last, for their notes. */
  failed?: FailedRun[] | undefined;
  /** Latest episode, while it may go on. */
  episode?: Episode | undefined;
  /** Uses that save a memory and have not been answered yet, and ids of the memories that were saved, latest last. */
  saving?: string[] | undefined;
  saved?: number[] | undefined;
  /** Number of lines that had been taken when a language model was asked what is worth keeping. */
  modelAt?: number | undefined;
  /** Commands whose result has not come yet, by the id of their use. */
  running: Record<string, { command: string; key: string }>;
}

export const emptyCarry = (): Carry => ({
  version: 1,
  prompts: 0,
  errors: 0,
  found: {},
  files: {},
  bursts: {},
  failing: [],
  running: {},
});

/** Reads a stored state; starts anew where there is none, or where another release's rules wrote it. */
export function readCarry(text: string | undefined): Carry {
  if (text === undefined) return emptyCarry();
  try {
    const kept: Partial<Carry> = JSON.parse(text);
    return kept.version === 1 ? { ...emptyCarry(), ...kept } : emptyCarry();
  } catch {
    return emptyCarry(); // The keys of what is found make a second reading harmless.
  }
}

/** Carries a state over into another project: nothing said in one reaches the members of the other. */
export function carryInto(project: string | undefined, carry: Carry): Carry {
  const here = project ?? "";
  if (carry.project === undefined || carry.project === here) return { ...carry, project: here };
  const { unnamed = 0 } = carry.found;
  return { ...emptyCarry(), project: here, part: (carry.part ?? 0) + 1, found: { unnamed } };
}

/** Reads by a name from outside: every object has a `constructor`, which is no file and no command. */
export const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** Carry without the words of the transcript: counters and files, in a form that may be stored. */
export function withoutWords(text: string): string {
  const {
    intent: _,
    first: __,
    said: ___,
    episode: ____,
    learned: _5,
    done: _6,
    next: _7,
    stated: _8,
    failed: _9,
    ...rest
  } = readCarry(text);
  return JSON.stringify({ ...rest, failing: [], running: {} });
}

const MAX_FILES = 50;

/** Counts an edit. @returns a path that was dropped from the counts, if there were too many */
export function countFile(files: Record<string, number>, path: string): string | undefined {
  files[path] = (own(files, path) ?? 0) + 1;
  const paths = Object.entries(files);
  if (paths.length <= MAX_FILES) return undefined;
  const [rarest] = paths.filter(([each]) => each !== path).sort(([, a], [, b]) => a - b);
  if (rarest) delete files[rarest[0]];
  return rarest?.[0];
}
