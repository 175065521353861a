import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import { shownName } from "../access/name-validation.ts";
import { waitsForReview } from "../access/review.ts";
import { VISIBILITIES } from "../access/space.ts";
import { cited, counted, indented, noticedBlock, otherKeys, warningLines } from "../answers/answer-text.ts";
import { framed, NOTICE } from "../answers/sanitize-for-prompt.ts";
import { round, seconds, some, type Warning } from "../answers/wire.ts";
import { keywordFrequencies, keywordsOf, wordsShown } from "../conversation/keywords.ts";
import {
  cleanMessage,
  DEFAULT_ROLE_WEIGHTS,
  type Participants,
  type RoleWeights,
  SPEAKERS,
  textOf,
} from "../conversation/message.ts";
import { POINTS, type RankedTurn, select } from "../conversation/selection.ts";
import { canonical } from "../memory/canonical.ts";
import type { Memory } from "../memory/memory.ts";
import type { NewMemory } from "../ports/store.ts";
import { redact } from "../redaction/redact.ts";
import { wellFormed } from "../text/characters.ts";
import { cutToUnits } from "../text/cut.ts";
import { defineTool, invalid, type ToolPorts } from "../tool.ts";
import { triggeredFor } from "../triggers/triggered.ts";
import * as field from "./fields.ts";

const MAX_MESSAGES = 50;
/** Number of newest turns that are searched. */
const MAX_TURNS = 1000;
/** Number of turns from which the rarity of a term is estimated. */
const MAX_KNOWN = 300;
/** Longest shown part of a turn; `ids` of chest_recall shows all of it. */
const MAX_SHOWN = 1200;
/** Number of turns with the same text that are checked for the same time. */
const MAX_SAME = 50;
/** Most keywords in an answer. */
const MAX_NAMED = 20;
const DAY_MS = 86_400_000;
const ALL = "*";

const missing = (what: string) => (issue: { readonly input?: unknown }) =>
  issue.input === undefined ? `is missing: ${what}` : undefined;
const weight = () => z.number().min(0).max(10);
const speaker = () => z.string().trim().min(1).max(100).transform(wellFormed);
// Roles are checked below: listing them in the schema of each field would dominate what an agent is shown.
const byRole = <T extends z.ZodType>(of: () => T) => z.record(z.string().max(20), of());

const input = z.object({
  action: z.enum(["capture", "recall"]),
  conversation_id: shownName(
    z
      .string({ error: missing("an id of your own, or `*` to recall from all") })
      .regex(
        /^(?:[A-Za-z0-9_-]{1,64}|\*)$/,
        "must be 1 to 64 letters, digits, `_` or `-`; `*` recalls from all of the project",
      ),
  ).describe("Recall takes `*`: all"),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(SPEAKERS),
        content: z.string().min(1).max(100_000),
        timestamp: field.moment().optional(),
      }),
      { error: missing('what is said now, as [{"role": "user", "content": "…"}]') },
    )
    .min(1)
    .max(MAX_MESSAGES),
  role_weights: byRole(weight).optional(),
  participants: byRole(speaker).optional(),
  visibility: z.enum(VISIBILITIES).default("private"),
  flashback: z.int().min(0).max(10).default(2).describe("Old moments"),
  seed: z.int().min(0).max(4_294_967_295).optional().describe("Repeats them"),
});

const turn = z.looseObject({
  id: z.int(),
  conversation_id: z.string(),
  created_at: z.int(),
  content: z.string(),
});
const shownMemory = z.looseObject({ id: z.int(), content: z.string() });

const output = z.looseObject({
  ok: z.literal(true),
  action: z.enum(["created", "duplicate"]).optional(),
  memory_id: z.int().optional(),
  keywords: z.array(z.string()).optional(),
  top: z.array(turn).optional(),
  next: z.array(turn).optional(),
  flashback: z.array(turn).optional(),
  triggered: z.array(shownMemory).optional(),
  warnings: field.warnings,
  ...field.queued,
});

type Input = z.output<typeof input>;
type Output = z.output<typeof output>;

export const conversation = defineTool({
  name: "chest_conversation",
  title: "chest: conversations",
  description:
    "Memory of a conversation: `capture` keeps messages, `recall` gives what was said before about these, a few old moments, and memories whose trigger holds. Use before an answer, after a turn worth keeping. Not for lasting facts.",
  input,
  output,
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  readsOnly: ({ action }) => action === "recall",
  text: conversationText,
  judge: check,
  run: async (args, ports, caller) =>
    args.action === "capture" ? capture(args, ports, caller) : recallTurns(args, ports, caller),
});

/** Refuses input that no store accepts. */
function check({ action, conversation_id: id, messages, role_weights = {}, participants = {} }: Input): void {
  for (const [path, given] of Object.entries({ role_weights, participants })) {
    const unknown = Object.keys(given).find((role) => !SPEAKERS.some((known) => known === role));
    if (unknown !== undefined) {
      throw invalid([{ path: `${path}.${unknown}`, message: `is not a role: use ${SPEAKERS.join(", ")}` }]);
    }
  }
  if (action === "capture" && id === ALL) {
    throw invalid([{ path: "conversation_id", message: "`*` stands for all conversations: name the one to be kept" }]);
  }
  const blank = messages.findIndex(({ content }) => wellFormed(content).trim() === "");
  if (blank >= 0) throw invalid([{ path: `messages.${blank}.content`, message: "is blank" }]);
}

const weightsOf = ({ role_weights: given = {} }: Input): RoleWeights => ({
  user: given.user ?? DEFAULT_ROLE_WEIGHTS.user,
  assistant: given.assistant ?? DEFAULT_ROLE_WEIGHTS.assistant,
  system: given.system ?? DEFAULT_ROLE_WEIGHTS.system,
});

const namesOf = ({ participants = {} }: Input): Participants =>
  Object.fromEntries(
    Object.entries(participants).flatMap(([role, name]) => (name === undefined ? [] : [[role, redact(name)]])),
  );

/** Weighs terms against the turns that the caller may see in this place. */
async function keywordsFor(args: Input, { store }: ToolPorts, caller: Caller) {
  const known = await store.conversations.turns({
    conversationId: undefined,
    projectKey: caller.project,
    limit: MAX_KNOWN,
  });
  return keywordsOf(args.messages.map(cleanMessage), weightsOf(args), keywordFrequencies(known));
}

async function capture(args: Input, ports: ToolPorts, caller: Caller): Promise<z.input<typeof output>> {
  check(args);
  const { store, clock, limits } = ports;
  const { conversation_id: conversationId, visibility } = args;
  if (waitsForReview(visibility, ports.hasReview, caller)) {
    throw invalid([{ path: "visibility", message: "`team` is for admins, since what goes to the team waits for one" }]);
  }
  const projectKey = caller.project;
  if (visibility === "project" && projectKey === undefined) {
    throw invalid([{ path: "visibility", message: "`project` needs a project: use `private` or `team`" }]);
  }
  const text = canonical(textOf(args.messages.map(cleanMessage), namesOf(args)));
  const { length } = text.content;
  if (length > limits.contentChars) {
    const message = `have ${length} characters, the limit is ${limits.contentChars}: capture fewer at a time, or shorten them`;
    throw invalid([{ path: "messages", message }], { limit: limits.contentChars, actual: length });
  }
  const at = momentOf(args, clock.now());
  const isDated = args.messages.some(({ timestamp }) => timestamp !== undefined);
  const keywords = await keywordsFor(args, ports, caller);
  return store
    .write(async (tx) => {
      const same = { conversationId, projectKey, limit: MAX_SAME };
      const repeated = await tx.memories.byIds(await tx.conversations.turnsWith(text.content, same));
      // The same text at another time is another turn.
      const isSameTime = ({ createdAt }: Memory) => !isDated || seconds(createdAt) === seconds(at);
      const twin = repeated.find(
        (turn) => turn.content === text.content && turn.visibility === visibility && isSameTime(turn),
      );
      if (twin) return { ok: true as const, action: "duplicate" as const, memory_id: twin.id };
      const { entity } = await tx.entities.findOrAdd({
        ...(await tx.entities.subjectOf({ visibility, projectKey })),
        key: undefined,
        visibility,
        projectKey,
      });
      const draft: NewMemory = {
        entity,
        layer: "context",
        text,
        tags: [],
        importance: 0.5,
        visibility,
        projectKey,
        expiresAt: undefined,
        hasOwnExpiry: true,
      };
      const memory = await tx.memories.add(draft);
      await tx.conversations.mark(memory, { conversationId, keywords, at });
      return {
        ok: true as const,
        action: "created" as const,
        memory_id: memory.id,
        embedding: { status: "pending" as const },
      };
    })
    .then((answer) => ({ ...answer, keywords: wordsShown(keywords, text.content).slice(0, MAX_NAMED) }));
}

/**
 * Time of a turn: that of the last message with a time, so that imported conversations keep their times. A clock that
 * is hours ahead is accepted.
 */
function momentOf({ messages }: Input, now: Date): Date {
  const at = messages.findLastIndex(({ timestamp }) => timestamp !== undefined);
  const given = messages[at]?.timestamp;
  if (given === undefined) return now;
  const moment = field.readMoment(given, `messages.${at}.timestamp`);
  if (moment.getTime() > now.getTime() + DAY_MS) {
    const message = "is more than a day in the future: is it in milliseconds?";
    throw invalid([{ path: `messages.${at}.timestamp`, message }]);
  }
  return moment > now ? now : moment;
}

async function recallTurns(args: Input, ports: ToolPorts, caller: Caller): Promise<z.input<typeof output>> {
  check(args);
  const { store, clock, limits } = ports;
  const now = clock.now();
  const seed = args.seed ?? now.getTime() % 2 ** 32;
  const conversationId = args.conversation_id === ALL ? undefined : args.conversation_id;
  const [keywords, turns, triggered] = await Promise.all([
    keywordsFor(args, ports, caller),
    store.conversations.turns({ conversationId, projectKey: caller.project, limit: MAX_TURNS }),
    triggeredFor(store, {
      messages: args.messages,
      now,
      conversationId,
      participants: namesOf(args),
      project: caller.project,
    }),
  ]);
  const wanted = { conversationId, keywords, flashback: args.flashback, seed, now };
  const found = select(turns, { ...wanted, minAgeMs: limits.conversationMinAgeMs });
  store.noteTurns(pointsOf(found));
  const chosen = [...found.top, ...found.next, ...found.flashback];
  const memories = await store.memories.byIds(chosen.map((each) => each.turn.id));
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const shown = (list: readonly RankedTurn[]) =>
    list.flatMap((each) => {
      const memory = byId.get(each.turn.id);
      return memory ? [presentTurn(each, memory)] : [];
    });
  return {
    _notice: NOTICE,
    ok: true as const,
    top: shown(found.top),
    next: shown(found.next),
    flashback: shown(found.flashback),
    triggered: triggered.map(({ id, content, importance }) => ({ id, ...cutContent(content), importance })),
    ...(args.flashback > 0 ? { seed } : {}),
    ...some("warnings", [
      ...(turns.length === MAX_TURNS ? [OLDER_LEFT_OUT] : []),
      ...(found.top.length === 0 && found.leavesOut ? [recentLeftOut(limits.conversationMinAgeMs)] : []),
    ]),
  };
}

const recentLeftOut = (minAgeMs: number): Warning => ({
  reason: "recent_turns_left_out",
  message: `only turns of the last ${minAgeMs / 60_000} minutes fit, and those are left out: the conversation itself still holds them`,
});

const OLDER_LEFT_OUT: Warning = {
  reason: "older_turns_left_out",
  message: `only the newest ${MAX_TURNS} captured turns were searched; chest_recall finds the others`,
};

const pointsOf = ({ top, next }: { readonly top: readonly RankedTurn[]; readonly next: readonly RankedTurn[] }) =>
  new Map([
    ...top.map((each) => [each.turn.id, POINTS.top] as const),
    ...next.map((each) => [each.turn.id, POINTS.next] as const),
  ]);

const presentTurn = ({ turn: { id, conversationId, at }, relevance }: RankedTurn, { content }: Memory) => ({
  id,
  conversation_id: conversationId,
  created_at: seconds(at),
  ...cutContent(content),
  relevance: round(relevance, 2),
});

const cutContent = (content: string) => ({
  content: cutToUnits(content, MAX_SHOWN),
  ...(content.length > MAX_SHOWN ? { content_truncated: true as const } : {}),
});

function conversationText({
  _notice,
  ok,
  action,
  memory_id: id = 0,
  keywords = [],
  embedding,
  top,
  next = [],
  flashback = [],
  triggered = [],
  seed,
  warnings,
  queued,
  queue_id,
  note,
  ...others
}: Output): string {
  if (queued) return [field.queuedText({ queue_id, note }), ...otherKeys(others)].join("\n");
  if (top === undefined) {
    const done = action === "duplicate" ? "this is kept already" : "kept";
    return [
      `${done}: ${cited([id])}`,
      ...(keywords.length > 0 ? [`about: ${framed(keywords.join(", "))}`] : []),
      ...warningLines(warnings),
      ...otherKeys(others),
    ].join("\n");
  }
  const lines = [
    ...top.flatMap((each) => turnLines("said before", each)),
    ...next.flatMap((each) => turnLines("said before", each)),
    ...flashback.flatMap((each) => turnLines("flashback", each)),
    ...triggered.flatMap((each) => [`[memory:${each.id}] triggered`, ...indented(each.content)]),
  ];
  const said = top.length + next.length;
  return [
    [
      said === 0 ? "nothing was said about this before" : counted(said, "moment"),
      counted(flashback.length, "flashback"),
      `${triggered.length} triggered`,
      ...(seed === undefined ? [] : [`seed ${seed}`]),
    ].join(", "),
    ...noticedBlock(lines),
    ...warningLines(warnings),
    ...otherKeys(others),
  ].join("\n");
}

function turnLines(
  kind: string,
  { id, conversation_id, created_at, content, content_truncated }: z.output<typeof turn>,
) {
  const at = new Date(created_at * 1000).toISOString().slice(0, 16).replace("T", " ");
  return [
    `[memory:${id}] ${kind}, ${framed(conversation_id)}, ${at}`,
    ...indented(content),
    ...(content_truncated ? [`  cut: \`ids\` [${id}] of chest_recall has it whole`] : []),
  ];
}
