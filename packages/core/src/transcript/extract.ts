import { redact } from "../redaction/redact.ts";
import { cut } from "../text/cut.ts";
import type { Candidate, CaptureRule, Extracted, FileTouch } from "./candidate.ts";
import { type Carry, countFile, emptyCarry, own } from "./carry.ts";
import { commandOf, isSameCommand } from "./command-kinds.ts";
import { readEntry, type SkipReason, type ToolResult, type ToolUse, type Turn } from "./entry.ts";
import { type Episode, memoryOf, stepsOf, withRead, withStep } from "./episode.ts";
import { afterEdit, afterSuccess, type FailedRun, noteOf, sayOf, stillOpen, withFailure } from "./failed-runs.ts";
import { errorLineOf } from "./failures.ts";
import { findingsIn } from "./lessons/findings.ts";
import { explanationIn, isSameError, mendedBy, withCommand } from "./lessons/mended.ts";
import { isRestated } from "./lessons/restated.ts";
import { saidIn } from "./lessons/rules.ts";
import { asideOf, nextStepsIn, withoutCommits } from "./next-steps.ts";
import { effectiveLength, isAcknowledgement, isWrapper, type NoiseReason, noiseOf } from "./noise.ts";
import { overviewOf, recoveryOf } from "./overview.ts";
import type { SentenceReason } from "./sentences.ts";
import { CUT, inFolder, lastWords } from "./wording.ts";

/** Why something in a transcript did not become a memory. */
export type DropReason = NoiseReason | SentenceReason | "aside" | "no_intent" | "limit" | "repeated";

/** Counts of an extraction so far, by line and by candidate. */
export interface ExtractionTally {
  readonly lines: number;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  readonly kept: Readonly<Partial<Record<CaptureRule, number>>>;
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
}

const LIMITS: Readonly<Partial<Record<CaptureRule, number>>> = {
  first_intent: 1,
  automated_task: 1,
  clarification: 3,
  realize: 3,
  decision: 5,
  finding: 10,
  fix: 5,
  episode: 40,
};
const MIN_INTENT = 20;
const MIN_CLARIFICATION = 40;
const MAX_FAILING = 20;
const MAX_RUNNING = 50;
const MAX_SAVED = 15;
const MAX_STATED = 20;
const MAX_PATHS = 200;
const BURST_MS = 10_000;

/**
 * Finds in a transcript, line by line, what is worth remembering: pure, in bounded memory, the same for the same lines.
 * Between two readings of a growing transcript `carry` is all there is to keep.
 */
export class Extraction {
  readonly #carry: Carry;
  #session: string | undefined;
  /** Folder of the turn that is being read. */
  #folder: string | undefined;
  #lines = 0;
  readonly #skipped: Partial<Record<SkipReason, number>> = {};
  readonly #kept: Partial<Record<CaptureRule, number>> = {};
  readonly #dropped: Partial<Record<DropReason, number>> = {};
  /** Whether the last word of the user was no more than thanks. */
  readonly #paths = new Map<string, string>();
  #explained: { readonly said: string; readonly how: string | undefined } = { said: "", how: undefined };
  /** Episodes that were over. */
  #closed = 0;

  /** @param carry what an earlier reading of the same session ended with. */
  constructor(carry: Carry = emptyCarry()) {
    this.#carry = structuredClone(carry);
  }

  /** The session that the first turn with one names; undefined until then. */
  get session(): string | undefined {
    return this.#session;
  }

  /** Folder the session began in; undefined when no line has told. */
  get cwd(): string | undefined {
    return this.#carry.cwd;
  }

  get tally(): ExtractionTally {
    return { lines: this.#lines, skipped: this.#skipped, kept: this.#kept, dropped: this.#dropped };
  }

  /** State from which the next reading goes on. */
  carry(): Carry {
    return structuredClone(this.#carry);
  }

  /** Reads the next line. */
  take(line: string): Extracted {
    this.#lines += 1;
    const entry = readEntry(line);
    if (entry.kind === "skipped") {
      this.#skipped[entry.reason] = (this.#skipped[entry.reason] ?? 0) + 1;
      return NOTHING;
    }
    if (entry.kind === "other") return NOTHING;
    const at = this.#note(entry);
    if (entry.isAside) {
      if (entry.text !== "") this.#drop("aside");
      return NOTHING;
    }
    return entry.role === "user" ? this.#user(entry, at) : this.#assistant(entry, at);
  }

  /** Returns the findings at the end of a reading; called again when there is more. */
  end(): Extracted {
    const open = this.#count("episode") < (LIMITS.episode ?? 0) ? this.#toldOf(this.#carry.episode) : undefined;
    if (open) this.#kept.episode = this.#closed + 1;
    const [line = ""] = open?.text.split("\n", 1) ?? [];
    const isDone = line !== "" && !ENDED_BADLY.test(line);
    const { done } = this.#carry;
    const summed = isDone ? { ...this.#carry, done: latest(done, cut(line, CUT.summary)) } : this.#carry;
    const candidates = [recoveryOf(summed), overviewOf(summed)].filter((each) => each !== undefined);
    for (const { rule } of candidates) this.#kept[rule] = 1;
    const notes = this.#noted(this.#carry.failed ?? []);
    return { candidates: [...candidates, ...notes, ...(open ? [open] : [])], touches: [] };
  }

  #note({ session, cwd, branch, at }: Turn): Date {
    const carry = this.#carry;
    this.#session ??= session;
    const folder = cwd && this.#redactedPath(cwd);
    carry.cwd ??= folder;
    carry.branch ??= branch && redact(branch);
    this.#folder = folder ?? carry.cwd;
    // A time that is none is that of the line before.
    if (at) carry.at = at.getTime();
    return new Date(carry.at ?? 0);
  }

  /** Redacts a path; every line names its folder, and a session touches few files many times. */
  #redactedPath(path: string): string {
    const known = this.#paths.get(path);
    if (known !== undefined) return known;
    if (this.#paths.size >= MAX_PATHS) this.#paths.clear();
    const clean = redact(path);
    this.#paths.set(path, clean);
    return clean;
  }

  #user(turn: Turn, at: Date): Extracted {
    const fixes = turn.results.flatMap((result) => this.#result(result, at));
    this.#carry.worked = (this.#carry.worked ?? 0) + turn.results.length;
    if (turn.text === "") return { candidates: fixes, touches: [] };
    return { candidates: [...fixes, ...this.#asked(turn, at)], touches: [] };
  }

  #asked(turn: Turn, at: Date): Candidate[] {
    const carry = this.#carry;
    const aside = asideOf(turn.text);
    const noise = noiseOf(turn.text) ?? (aside === "farewell" ? "acknowledgement" : undefined);
    carry.aside = noise === "acknowledgement" && THANKS.test(turn.text) ? "farewell" : aside;
    const key = turn.uuid ?? `line-${this.#ordinal()}`;
    const isTask = isWrapper(turn.text) && TASK.test(turn.text) && carry.prompts === 0;
    if (noise && !isTask) {
      this.#drop(noise);
      return [];
    }
    carry.prompts += 1;
    carry.worked = 0;
    carry.edited = 0;
    const said = redact(isTask ? turn.text.replace(ANY_TAG, " ") : turn.text).trim();
    const found: Candidate[] = [];
    const sentences = isTask ? [] : this.#said(said, key, at);
    const isFirst = this.#count("first_intent") + this.#count("automated_task") === 0;
    found.push(...this.#noted(carry.failed ?? []));
    carry.failed = stillOpen(carry.failed ?? [], carry.prompts);
    const length = effectiveLength(said);
    const rule = isFirst ? (isTask ? "automated_task" : "first_intent") : "clarification";
    if (length >= MIN_INTENT) carry.intent = { text: cut(said, CUT.why), key };
    if (length < (isFirst ? MIN_INTENT : MIN_CLARIFICATION)) this.#drop("too_short");
    else if (!isFirst && sentences.some(({ text }) => text === said)) this.#drop("repeated");
    else found.push(...this.#keep({ rule, key, at, text: cut(said, isFirst ? CUT.intent : CUT.clarification) }));
    if (isFirst && found.length > 0) carry.first = cut(said, CUT.why);
    return [...found, ...sentences];
  }

  #said(message: string, key: string, at: Date): Candidate[] {
    return saidIn(message).flatMap(({ text, rule, refused }, nth) => {
      if (refused) {
        this.#drop(refused);
        return [];
      }
      return this.#state({ rule, key: `${key}#${nth}`, at, text: cut(text, CUT.sentence) });
    });
  }

  #found(message: string, key: string, at: Date): Candidate[] {
    const { worked = 0, edited = 0 } = this.#carry;
    return findingsIn(message, { isTalk: worked === 0, isAfterEdit: edited > 0 }).flatMap(({ text, isChoice }, nth) =>
      this.#state({ rule: isChoice ? "decision" : "finding", key: `${key}#${nth}`, at, text: cut(text, CUT.what) }),
    );
  }

  /** Keeps a statement, unless this session has made it before. */
  #state(candidate: Candidate): Candidate[] {
    const { stated } = this.#carry;
    if (stated?.some((each) => isRestated(each, candidate.text))) {
      this.#drop("repeated");
      return [];
    }
    const kept = this.#keep(candidate);
    if (kept.length > 0) this.#carry.stated = last(MAX_STATED, stated, candidate.text);
    return kept;
  }

  #assistant(turn: Turn, at: Date): Extracted {
    const said = turn.text.trim() === "" ? "" : redact(turn.text).trim();
    const key = turn.uuid ?? `line-${this.#ordinal()}`;
    const candidates = said === "" ? [] : this.#found(said, key, at);
    const told = lastWords(said);
    if (told !== "") this.#carry.said = { text: told, intent: this.#carry.intent?.key };
    if (said !== "") this.#carry.next = this.#leftAfter(said);
    if (said !== "") sayOf(this.#carry.failed ?? [], said);
    const touches: FileTouch[] = [];
    for (const [ordinal, use] of turn.uses.entries()) {
      if (use.operation === "bash" && use.command) this.#runs(use, use.command);
      if (use.operation === "remember") this.#carry.saving = last(MAX_SAVED, this.#carry.saving, use.id);
      if (use.path === undefined || use.operation === "remember") continue;
      const path = cut(this.#redactedPath(use.path), CUT.path);
      const isEdit = use.operation === "edit" || use.operation === "write";
      if (isEdit) this.#carry.edited = (this.#carry.edited ?? 0) + 1;
      const occasion = { key: `${key}#${ordinal}`, cwd: this.#folder, at };
      const { episode } = this.#carry;
      if (isEdit) candidates.push(...this.#goesOn(withStep(episode, { kind: "edit", path, times: 1 }, occasion)));
      if (use.operation === "read") candidates.push(...this.#goesOn(withRead(episode, path, occasion)));
      const why = isEdit ? this.#edited(path, key, at) : undefined;
      if (why?.candidate) candidates.push(why.candidate);
      touches.push({
        turn: key,
        ordinal,
        path,
        operation: use.operation,
        at,
        candidate: why?.key,
        intent: isEdit && this.#carry.intent ? cut(this.#carry.intent.text, CUT.touch) : undefined,
      });
    }
    return { candidates, touches };
  }

  /** Reads the next steps from a closing message of the agent. Thanks, and the answer to them, change nothing. */
  #leftAfter(text: string): string | undefined {
    const steps = nextStepsIn(text);
    if (steps.length > 0) return steps.join("\n");
    const { aside, next, worked = 0, edited = 0 } = this.#carry;
    if (aside === "farewell" || isAcknowledgement(text) || FAREWELL.test(text)) return next;
    if (aside === "commit" && edited === 0) return next === undefined ? undefined : withoutCommits(next);
    return aside === "question" && worked === 0 ? next : undefined;
  }

  /** Edits of one path for one prompt are one memory: what it was for counts, not how often. */
  #edited(path: string, turn: string, at: Date): { key: string | undefined; candidate?: Candidate | undefined } {
    const carry = this.#carry;
    const forgotten = countFile(carry.files, path);
    if (forgotten !== undefined) delete carry.bursts[forgotten];
    const open = carry.failing.filter(({ isOpen }) => isOpen);
    const how = open.length > 0 ? this.#explanation(carry.said?.text) : undefined;
    afterEdit(carry.failed ?? [], path);
    for (const failing of open) {
      if (!failing.files.includes(path) && failing.files.length < 5) failing.files.push(path);
      failing.how = how ?? failing.how;
    }
    const { intent } = carry;
    const burst = own(carry.bursts, path);
    const base = `${intent?.key ?? turn}:${path}`;
    if (burst && (burst.key === base || at.getTime() - burst.at <= BURST_MS)) {
      burst.at = at.getTime();
      return { key: burst.key };
    }
    const what = carry.said && carry.said.intent === intent?.key ? carry.said.text : undefined;
    if (intent === undefined && what === undefined) {
      this.#drop("no_intent");
      return { key: undefined };
    }
    carry.bursts[path] = { key: base, at: at.getTime() };
    const text = [
      `${inFolder(path, carry.cwd)}: ${cut(what ?? "edited", CUT.what)}`,
      ...(intent ? [`Asked for: ${intent.text}`] : []),
    ].join("\n");
    const [candidate] = this.#keep({ rule: "file_edit", key: base, at, text, path });
    return { key: base, candidate };
  }

  /** Explanation in the last message, searched once however many edits follow it. */
  #explanation(text = ""): string | undefined {
    if (this.#explained.said !== text) this.#explained = { said: text, how: explanationIn(text) };
    return this.#explained.how;
  }

  #runs(use: ToolUse, command: string): void {
    const { running } = this.#carry;
    const ids = Object.keys(running);
    const [oldest] = ids;
    if (oldest !== undefined && ids.length >= MAX_RUNNING) delete running[oldest];
    running[use.id] = { command: cut(redact(command), CUT.what), key: use.id };
  }

  #result({ useId, isError, failure, memory }: ToolResult, at: Date): Candidate[] {
    const carry = this.#carry;
    if (isError) carry.errors += 1;
    if (carry.saving?.includes(useId)) {
      carry.saving = carry.saving.filter((each) => each !== useId);
      if (memory !== undefined) carry.saved = last(MAX_SAVED, carry.saved, memory);
    }
    const ran = own(carry.running, useId);
    if (!ran) return [];
    delete carry.running[useId];
    const occasion = { key: ran.key, cwd: this.#folder, at };
    const told = isError ? redact(failure) : undefined;
    const done = stepsOf(ran.command, told).flatMap((step) => this.#goesOn(withStep(carry.episode, step, occasion)));
    return [...done, ...this.#mended(ran, told, at)];
  }

  /** Notes the fix of a command that failed and then succeeded: the edits and commands between the two runs. */
  #mended(ran: Ran, failure: string | undefined, at: Date): Candidate[] {
    const carry = this.#carry;
    if (failure !== undefined) {
      const error = errorLineOf(failure);
      this.#failed(ran, error);
      if (error) carry.failed = withFailure(carry.failed, { ...ran, error, at: at.getTime(), prompts: carry.prompts });
      return [];
    }
    const { over, open } = afterSuccess(carry.failed ?? [], ran.command);
    carry.failed = open;
    const known = carry.failing.find((each) => each.isOpen && isSameCommand(each.command, ran.command));
    const text = known && mendedBy(known, ran.command, carry);
    const isMended = (run: FailedRun) =>
      run.files.length + run.ran.length > 0 && isSameCommand(run.command, ran.command);
    if (known) Object.assign(known, { isOpen: false, isMended: text !== undefined || over.some(isMended) });
    for (const each of carry.failing) if (each.isOpen) each.ran = withCommand(each.ran, ran.command);
    const fixes = known && text ? this.#keep({ rule: "fix", key: known.key, at, text, path: known.files[0] }) : [];
    if (known?.isMended) carry.done = latest(carry.done, cut(`\`${commandOf(known.command)}\` mended`, CUT.summary));
    // A failure that a memory tells of needs no note.
    const isTold = ({ key }: FailedRun) => fixes.length > 0 && key === known?.key;
    return [...this.#noted(over.filter((run) => !isTold(run))), ...fixes];
  }

  /** Notes of failures, each again when more is known of it. */
  #noted(runs: readonly FailedRun[]): Candidate[] {
    return runs.flatMap((run) => noteOf(run, this.#carry.cwd) ?? []);
  }

  /** Notes a failure. If the command fails in another way than before, the steps in between were no fix. */
  #failed(ran: Ran, line: string | undefined): void {
    const { failing, prompts } = this.#carry;
    const error = line && cut(line, CUT.sentence);
    const known = failing.find((each) => each.isOpen && isSameCommand(each.command, ran.command));
    if (known && error && !isSameError(known.error, error)) {
      Object.assign(known, { error, files: [], how: undefined, ran: [], prompts });
    }
    if (!known && error) failing.push({ ...ran, error, files: [], prompts, isOpen: true });
    while (failing.length > MAX_FAILING) failing.shift();
  }

  /** @returns the memories of the previous episode, if it is over. */
  #goesOn(episode: Episode): Candidate[] {
    const before = this.#carry.episode;
    this.#carry.episode = episode;
    const told = before === episode ? undefined : this.#toldOf(before);
    if (!told) return [];
    this.#closed += 1;
    return this.#keep(told);
  }

  #toldOf = (episode: Episode | undefined): Candidate | undefined => episode && memoryOf(episode, this.#carry.cwd);

  #keep(candidate: Candidate): Candidate[] {
    const { rule } = candidate;
    if (this.#count(rule) >= (LIMITS[rule] ?? Number.POSITIVE_INFINITY)) {
      this.#drop("limit");
      return [];
    }
    this.#carry.found[rule] = this.#count(rule) + 1;
    this.#kept[rule] = (this.#kept[rule] ?? 0) + 1;
    this.#summarise(candidate);
    return [candidate];
  }

  /** Notes a find for the summary of the session. */
  #summarise({ rule, text }: Candidate): void {
    const carry = this.#carry;
    const line = cut(text.split("\n", 1)[0] ?? "", CUT.summary);
    if (rule === "realize" || rule === "decision" || rule === "finding") carry.learned = latest(carry.learned, line);
    if (rule === "episode" && !ENDED_BADLY.test(line)) carry.done = latest(carry.done, line);
  }

  #drop(reason: DropReason): void {
    this.#dropped[reason] = (this.#dropped[reason] ?? 0) + 1;
  }

  #count(rule: CaptureRule): number {
    return this.#carry.found[rule] ?? 0;
  }

  /** For a turn that names itself nowhere. */
  #ordinal(): number {
    this.#carry.found.unnamed = (this.#carry.found.unnamed ?? 0) + 1;
    return this.#carry.found.unnamed;
  }
}

const THANKS =
  /thank|thx|great|nice|perfect|cool|lgtm|looks good|ありがと|了解|大丈夫|谢谢|好的|没问题|고마|감사|좋아/i;
const FAREWELL =
  /^(?:you(?:['’]re| are) welcome|glad (?:to|i|it|that)|happy to help|any ?time|my pleasure|no problem|enjoy|good luck|see you|have a|bye|どういたしまして|お役に立て|不客气|不用谢|천만에요|별말씀)/i;
const MOST_SUMMARISED = 5;
const ENDED_BADLY = /\bfailed$/;

const last = <T>(most: number, before: readonly T[] = [], one: T): T[] =>
  [...before.filter((each) => each !== one), one].slice(-most);

const latest = (before: readonly string[] | undefined, line: string): string[] => last(MOST_SUMMARISED, before, line);

type Ran = Carry["running"][string];

const NOTHING: Extracted = { candidates: [], touches: [] };
const TASK = /^\s*<(?:scheduled-task|automated-)/i;
const ANY_TAG = /<\/?[a-z][\w:-]*(?:\s[^<>]*)?>/gi;
