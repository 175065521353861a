import { hash } from "node:crypto";
import { ChestError } from "@chest/contracts";
import type { Caller } from "../access/caller.ts";
import { nameTrouble, readProjectKey } from "../access/name-validation.ts";
import { waitsForReview } from "../access/review.ts";
import type { Visibility } from "../access/space.ts";
import { canonical } from "../memory/canonical.ts";
import { daysAfter, expiryOf, type Layer } from "../memory/layer.ts";
import type { PendingText } from "../ports/pending.ts";
import type { CapturedMemory, CaptureOutcome, SessionReads, TranscriptProgress } from "../ports/sessions.ts";
import type { Store, Writes } from "../ports/store.ts";
import { redact } from "../redaction/redact.ts";
import { wellFormed } from "../text/characters.ts";
import { invalid, type ServerPorts } from "../tool.ts";
import {
  CAPTURE_RULES,
  type Candidate,
  type CaptureRule,
  type FileTouch,
  isJournalRule,
  JOURNAL_DAYS,
} from "./candidate.ts";
import { carryInto, readCarry } from "./carry.ts";
import { Extraction, type ExtractionTally } from "./extract.ts";
import { type Head, type HeadOptions, headOf, type Lines } from "./head.ts";
import { countOf, hasText, paced, textOf } from "./paced.ts";
import { rehearse } from "./rehearse.ts";

export interface CaptureOptions extends HeadOptions {
  /** Name of the project if neither the caller nor a line gives one. */
  readonly projectName?: string | undefined;
  /** Tells what would become of it, and stores nothing. */
  readonly isDryRun?: boolean | undefined;
  /**
   * Stores finds that are older than the lifetime of their layer as well, and reads transcripts again that were taken
   * without this option.
   */
  readonly keepOld?: KeepOld | undefined;
}

/**
 * Ways to store finds that are older than the lifetime of their layer: archived, or with a lifetime that begins now.
 */
export const KEEP_OLD = ["archived", "fresh"] as const;
export type KeepOld = (typeof KEEP_OLD)[number];

export interface CaptureReport {
  readonly session: string;
  readonly projectName: string;
  /** By outcome: `expired` was left out as too old, `kept_old` is that part of `inserted` which would have been. */
  readonly memories: Readonly<Record<CaptureOutcome | "expired" | "kept_old", number>>;
  readonly edits: number;
  /** Index of the first line that was not taken. */
  readonly nextLine: number;
  /** Counts over the lines that were new. */
  readonly tally: ExtractionTally;
}

export interface CapturePorts extends Pick<ServerPorts, "clock" | "hasReview" | "embedSoon"> {
  readonly store: { readonly sessions: Pick<SessionReads, "progress">; readonly write: Store["write"] };
}

const LINES_AT_ONCE = 2000;
const FINDS_AT_ONCE = 100;
const TRIES = 5;

/**
 * Takes a transcript, or its new part, into memory. Ids stay: earlier captures are brought up to date, unless a member
 * edited or archived them; the same lines again change nothing. It is committed in slices, so a failed call continues
 * where it stopped.
 * @returns undefined when no line says which session it is
 * @throws `VERSION_CONFLICT` with the line to send from, when lines between are missing
 */
export async function captureTranscript(
  lines: Lines,
  options: CaptureOptions,
  ports: CapturePorts,
  caller: Caller,
): Promise<CaptureReport | undefined> {
  const head = await headOf(lines, options);
  if (!head) return undefined;
  assertNames(head.session, caller.project);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await new Capture(head, lines, options, ports, caller).run();
    } catch (error) {
      // Another process takes the same session: its part is done.
      if (!(error instanceof Overtaken) || attempt === TRIES) throw error instanceof Overtaken ? busy() : error;
    }
  }
}

function assertNames(session: string, project: string | undefined): void {
  if (project !== undefined) readProjectKey(project, "project");
  const message = nameTrouble(session);
  if (message !== undefined) throw invalid([{ path: "session", message }]);
}

class Overtaken extends Error {
  override readonly name = "Overtaken";
}

const busy = () =>
  new ChestError("UNAVAILABLE", "this session is being taken by several at once", {
    hint: "try again after the delay given",
    details: { retry_after_ms: 1000 },
  });

type Finds = { readonly candidates: Candidate[]; readonly touches: FileTouch[] };

class Capture {
  readonly #head: Head;
  readonly #lines: Lines;
  readonly #options: CaptureOptions;
  readonly #ports: CapturePorts;
  readonly #caller: Caller;
  readonly #counts = {
    inserted: 0,
    updated: 0,
    unchanged: 0,
    kept: 0,
    same_words: 0,
    purged: 0,
    forgotten: 0,
    expired: 0,
    kept_old: 0,
  };
  /** Finds that were rehearsed, by key, and their words: what is undone can be found again by nothing else. */
  readonly #rehearsed = { hashes: new Map<string, string>(), words: new Set<string>() };
  #edits = 0;
  #projectName = "";

  constructor(head: Head, lines: Lines, options: CaptureOptions, ports: CapturePorts, caller: Caller) {
    this.#head = head;
    this.#lines = lines;
    this.#options = options;
    this.#ports = ports;
    this.#caller = caller;
  }

  async run(): Promise<CaptureReport> {
    const { session } = this.#head;
    const { fromLine = 0 } = this.#options;
    const known = await this.#ports.store.sessions.progress(session);
    // The pieces of a dry run follow each other, though none of them is stored.
    if (fromLine > (known?.nextLine ?? 0) && !this.#options.isDryRun) throw gap(known?.nextLine ?? 0, fromLine);
    const isSame = known === undefined || (await this.#isContinued(known, fromLine));
    if (!isSame && fromLine > 0) throw gap(0, fromLine);
    const isAgain = this.#options.keepOld !== undefined && fromLine === 0;
    const start = known && isSame && !isAgain ? known : { nextLine: 0, lastLineHash: undefined, carry: undefined };
    const extraction = new Extraction(carryInto(this.#caller.project, readCarry(start.carry)));
    this.#projectName = projectNameOf(this.#caller, extraction.cwd ?? this.#head.cwd, this.#options.projectName);
    // In the store there may be more than there is now: a file that was rewritten begins anew.
    let stored = known?.nextLine ?? 0;
    let taken = start;
    let finds: Finds = { candidates: [], touches: [] };
    let index = fromLine;
    let last: string | undefined;

    const settle = async (isLast: boolean) => {
      if (isLast && index > start.nextLine) finds.candidates.push(...extraction.end().candidates);
      const lastLineHash = last === undefined ? taken.lastLineHash : hashOf(last);
      const next = {
        nextLine: Math.max(index, taken.nextLine),
        lastLineHash,
        carry: JSON.stringify(extraction.carry()),
      };
      if (next.nextLine !== taken.nextLine || finds.candidates.length > 0) await this.#commit(finds, stored, next);
      stored = next.nextLine;
      taken = next;
      finds = { candidates: [], touches: [] };
    };

    for await (const line of paced(this.#lines())) {
      index += countOf(line);
      if (index <= start.nextLine) continue;
      last = textOf(line);
      if (hasText(line)) {
        const found = extraction.take(line);
        finds.candidates.push(...found.candidates);
        finds.touches.push(...found.touches);
      }
      const isMuch = finds.candidates.length + finds.touches.length >= FINDS_AT_ONCE;
      if (isMuch || index - taken.nextLine >= LINES_AT_ONCE) await settle(false);
    }
    await settle(true);
    return {
      session,
      projectName: this.#projectName,
      memories: this.#counts,
      edits: this.#edits,
      nextLine: taken.nextLine,
      tally: extraction.tally,
    };
  }

  /**
   * Whether the last line taken still stands in its place. Undecided counts as yes: the following lines were sent as
   * its continuation.
   */
  async #isContinued({ nextLine, lastLineHash }: TranscriptProgress, fromLine: number): Promise<boolean> {
    if (lastLineHash === undefined || fromLine >= nextLine) return true;
    let index = fromLine;
    for await (const line of paced(this.#lines())) {
      index += countOf(line);
      if (index >= nextLine) return hashOf(textOf(line)) === lastLineHash;
    }
    // Fewer lines than were taken: a part of them again, or a file that was rewritten shorter. Either is read again.
    return false;
  }

  async #commit({ candidates, touches }: Finds, expected: number, next: TranscriptProgress): Promise<void> {
    const { clock, store } = this.#ports;
    const { session } = this.#head;
    const now = clock.now();
    // Everything that takes time comes before the transaction.
    const drafts = candidates.flatMap((candidate) => this.#withinLifetime(this.#draft(candidate, now), now));
    if (this.#options.isDryRun) return this.#rehearse(drafts, touches, next);
    const done = await store.write(async (tx) => {
      const found = await tx.sessions.progress(session);
      if ((found?.nextLine ?? 0) !== expected) throw new Overtaken();
      await tx.sessions.keepProgress(session, next, this.#caller.project);
      return this.#store(drafts, touches, tx);
    });
    this.#ports.embedSoon?.(done.texts);
    this.#count(drafts, done);
  }

  /** The draft, or none for a find older than the lifetime of its layer, unless old ones are wanted. */
  #withinLifetime(draft: Draft, now: Date): Draft[] {
    const ends = isJournalRule(draft.rule) ? daysAfter(draft.at, JOURNAL_DAYS) : draft.expiresAt;
    if (ends === undefined || ends > now) return [draft];
    const { keepOld } = this.#options;
    if (keepOld !== undefined) {
      const expiresAt = keepOld === "fresh" ? this.#expiry(draft.rule, draft.layer, now) : draft.expiresAt;
      return [{ ...draft, expiresAt, isOld: true }];
    }
    this.#counts.expired += 1;
    return [];
  }

  async #store(drafts: readonly Draft[], touches: readonly FileTouch[], tx: Writes): Promise<Stored> {
    const { session } = this.#head;
    const projectKey = this.#caller.project;
    const visibility = visibilityOfCapture(this.#caller, this.#ports.hasReview);
    const outcomes: CaptureOutcome[] = [];
    const texts: PendingText[] = [];
    if (drafts.length > 0) {
      const name = { name: redact(this.#projectName), kind: "project" as const, key: undefined };
      const { entity } = await tx.entities.findOrAdd({ ...name, visibility, projectKey });
      for (const { isOld, ...draft } of drafts) {
        const { outcome, id } = await tx.sessions.capture({ ...draft, entity });
        outcomes.push(outcome);
        const isArchived = isOld && this.#options.keepOld === "archived" && outcome === "inserted";
        if (!isArchived) texts.push(...textsToEmbed(draft, { outcome, id }));
        const memory = isArchived && id !== undefined && (await tx.memories.byId(id));
        if (memory) await tx.memories.archive(memory, "expired");
      }
    }
    let edits = 0;
    for (const { candidate, ...touch } of touches) {
      const key = candidate === undefined ? undefined : this.#key("file_edit", candidate);
      if (await tx.sessions.touch({ ...touch, session, captureKey: key, projectKey })) edits += 1;
    }
    return { outcomes, texts, edits };
  }

  /**
   * Reports what would be stored, without storing it. Finds of earlier pieces are recognised by their keys and words.
   */
  async #rehearse(drafts: readonly Draft[], touches: readonly FileTouch[], next: TranscriptProgress): Promise<void> {
    const { hashes, words } = this.#rehearsed;
    const fresh = drafts.filter((draft) => {
      const { captureKey, text, layer } = draft;
      const before = hashes.get(captureKey);
      hashes.set(captureKey, text.contentHash);
      if (before !== undefined) this.#counts[before === text.contentHash ? "unchanged" : "updated"] += 1;
      else if (words.has(`${layer} ${text.contentHash}`)) this.#counts.same_words += 1;
      else return true;
      return false;
    });
    const done = await rehearse(this.#ports.store.write, async (tx) => {
      await tx.sessions.keepProgress(this.#head.session, next, this.#caller.project);
      return this.#store(fresh, touches, tx);
    });
    for (const { layer, text } of fresh) words.add(`${layer} ${text.contentHash}`);
    this.#count(fresh, done);
  }

  #count(drafts: readonly Draft[], { outcomes, edits }: Stored): void {
    for (const [at, outcome] of outcomes.entries()) {
      this.#counts[outcome] += 1;
      if (outcome === "inserted" && drafts[at]?.isOld) this.#counts.kept_old += 1;
    }
    this.#edits += edits;
  }

  #draft({ rule, key, text, at }: Candidate, now: Date): Draft {
    const { layer, importance } = CAPTURE_RULES[rule];
    const { project } = this.#caller;
    const { session } = this.#head;
    const when = at.getTime() === 0 || at > now ? now : at;
    return {
      layer,
      importance,
      tags: [],
      text: canonical(text),
      session,
      rule,
      at: when,
      projectKey: project,
      visibility: visibilityOfCapture(this.#caller, this.#ports.hasReview),
      expiresAt: this.#expiry(rule, layer, when),
      hasOwnExpiry: false,
      captureKey: this.#key(rule, key),
    };
  }

  /** A journal goes by its age, which maintenance looks at, and no row of it by an expiry of its own. */
  #expiry(rule: CaptureRule, layer: Layer, from: Date): Date | undefined {
    return isJournalRule(rule) ? undefined : expiryOf(layer, from);
  }

  #key(rule: CaptureRule, key: string): string {
    return captureKeyOf(this.#caller, this.#head.session, rule, key);
  }
}

interface Draft extends Omit<CapturedMemory, "entity"> {
  readonly isOld?: boolean;
}

interface Stored {
  /** One for each draft. */
  readonly outcomes: readonly CaptureOutcome[];
  /** New words of memories, without vectors yet. */
  readonly texts: readonly PendingText[];
  readonly edits: number;
}

/** Key of a find by member, session and rule: finds of two members are two. */
export const captureKeyOf = ({ member }: Pick<Caller, "member">, session: string, rule: CaptureRule, key: string) =>
  hash("sha256", JSON.stringify([member.id, session, rule, key]), "hex");

/** Words that a capture has left without a vector. A journal is not embedded. */
export const textsToEmbed = (
  { rule, text }: Pick<CapturedMemory, "rule" | "text">,
  { outcome, id }: { readonly outcome: CaptureOutcome; readonly id: number | undefined },
): PendingText[] =>
  id === undefined || isJournalRule(rule) || (outcome !== "inserted" && outcome !== "updated")
    ? []
    : [{ id, text: text.content, contentSha1: text.contentSha1 }];

/** Visibility of a find: its project's; without a project the team's, or its author's alone where a reviewer would have to agree. */
export function visibilityOfCapture(caller: Caller, hasReview: boolean | undefined): Visibility {
  if (caller.project !== undefined) return "project";
  return waitsForReview("team", hasReview, caller) ? "private" : "team";
}

const hashOf = (line: string): string => hash("sha256", line, "hex");

/** The stated project by its last part, else the folder that the session ran in. */
export function projectNameOf(
  { project }: Pick<Caller, "project">,
  cwd: string | undefined,
  stated: string | undefined,
): string {
  const path = project ?? stated ?? cwd ?? "";
  const name = path.replaceAll("\\", "/").split("/").filter(Boolean).at(-1);
  return wellFormed(name ?? "sessions").slice(0, 200);
}

const gap = (expected: number, actual: number) =>
  new ChestError("VERSION_CONFLICT", `from_line is ${actual}, and lines from ${expected} on are missing before it`, {
    hint: "send the transcript from the line in `details.expected` on",
    details: { expected, actual },
  });
