import { ChestError, endpoints } from "@chest/contracts";
import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import { noSuch, noSuchMemory } from "../access/refusals.ts";
import { rowsOf } from "../answers/row.ts";
import { NOTICE } from "../answers/sanitize-for-prompt.ts";
import { NEVER_UNASKED, NOT_UNASKED, SHOWN_LAYERS } from "../continuity/briefing.ts";
import { isExpired, type Memory, stateOf } from "../memory/memory.ts";
import { defineOperation } from "../operation.ts";
import type { Engine } from "../ports/engine.ts";
import type { Store } from "../ports/store.ts";
import { estimateTokens } from "../text/tokens.ts";
import type { ToolPorts } from "../tool.ts";
import * as field from "../tools/fields.ts";
import { type Block, type BlockLine, idsOf } from "./block.ts";
import { type PromptHookInput, promptHookInput, sessionStartInput } from "./inputs.ts";
import { languageOf } from "./language.ts";
import type { OutReason } from "./lessons.ts";
import { promptBlock } from "./on-prompt.ts";
import { startBlock } from "./on-session.ts";
import { asPrompt, isWorthAsking } from "./worth-asking.ts";

const PREVIEW_FIELDS = z.strictObject({
  prompt: promptHookInput.shape.prompt.default("").describe("Empty: what a session begins with, and nothing more"),
  project: field.project().optional().describe("Key of the project that the agent works in"),
  files: promptHookInput.shape.files,
  member: z.string().max(64).optional().describe("Another member, for admins: only what both may see"),
  memory_id: field.id().optional().describe("Why is this one not shown"),
});

/** Id of a session that no agent has: nothing was stored in it, and nothing shown. */
const NO_SESSION = "preview";

export type WhyNot =
  | OutReason
  | "shown"
  | "closed_to_member"
  | "elsewhere"
  | "archived"
  | "superseded"
  | "expired"
  | "layer"
  | "skill"
  | "flagged"
  | "journal"
  | "prompt_says_little"
  | "no_prompt"
  | "not_found";

/**
 * Shows the blocks that hooks would give an agent: at the start of a session, and beside a prompt. The hooks' own functions
 * make them; nothing is taken, noted or counted by looking.
 */
export const previewHooks = defineOperation({
  endpoint: endpoints.hookPreview,
  body: PREVIEW_FIELDS,
  async run({ body: asked }, { store: own, ...host }) {
    const { call, engine } = host;
    const caller = await placed(asked, call.caller, engine);
    const isOther = caller.beside !== undefined;
    const ports: ToolPorts = { ...host, store: engine.as({ ...call, caller }) };
    const prompt = asPrompt(asked.prompt);
    const language = languageOf(prompt);
    const out = new Map<number, { readonly why: OutReason; readonly better?: number | undefined }>();
    const { block: start } = await startBlock(
      sessionStartInput.parse({ session_id: NO_SESSION, language }),
      ports,
      caller,
    );
    // The hook itself passes over a prompt that says too little, unless it may go on with what the last session left.
    const isAsked = prompt !== "";
    const question: PromptHookInput = promptHookInput.parse({
      session_id: NO_SESSION,
      prompt,
      files: asked.files,
      is_first: !isOther,
    });
    const beside = isAsked
      ? await promptBlock(question, ports, caller, {
          claim: async () => true,
          onSkip: (id, why, better) => void (out.has(id) || out.set(id, { why, better })),
        })
      : undefined;
    const blocks = [
      await shownAs("start", start, ports.store),
      ...(isAsked ? [await shownAs("prompt", beside?.text === "" ? undefined : beside, ports.store)] : []),
    ];
    const shown = idsOf(beside?.lines ?? []);
    const id = asked.memory_id;
    return {
      _notice: NOTICE,
      ok: true as const,
      is_worth_asking: isAsked && isWorthAsking(prompt),
      blocks,
      ...(id === undefined
        ? {}
        : {
            why_not: {
              memory_id: id,
              ...(shown.includes(id)
                ? { why: "shown" as const }
                : (out.get(id) ?? (await reasonFor(id, prompt, { ports, own, isOther })))),
            },
          }),
    };
  },
});

/** The caller at work in the project, for another member with what both may see alone. */
async function placed(
  { project, member }: z.output<typeof PREVIEW_FIELDS>,
  caller: Caller,
  { access }: Pick<Engine, "access">,
): Promise<Caller> {
  const { session: _, ...client } = caller.client;
  const here = { ...caller, project: project ?? caller.project, client };
  if (member === undefined || member === caller.member.name) return here;
  if (!caller.scopes.has("admin")) throw forAdmins();
  const beside = await access.memberByName(member);
  if (!beside) throw noSuch("member", member);
  // Handoffs and requests to save are of the session's own member: without the right to write there are none.
  const scopes = new Set([...caller.scopes].filter((scope) => scope !== "write"));
  return { ...here, scopes, beside };
}

const forAdmins = () =>
  new ChestError("FORBIDDEN", "member: only an admin looks for another member", {
    hint: "leave `member` out to see what your own agent would know",
    details: { field: "member" },
  });

async function shownAs(moment: "start" | "prompt", block: Block | undefined, store: Store) {
  const { text = "", lines = [] } = block ?? {};
  const rows = new Map((await rowsOf(await store.memories.byIds(idsOf(lines)), store)).map((row) => [row.id, row]));
  const told = lines.filter(({ text: line }) => line.trim() !== "");
  return {
    moment,
    text,
    tokens: text === "" ? 0 : estimateTokens(text),
    lines: told.map((line) => shownLine(line, rows)),
  };
}

type Rows = ReadonlyMap<number, Awaited<ReturnType<typeof rowsOf>>[number]>;

function shownLine({ id, text, reason }: BlockLine, rows: Rows) {
  const memory = id === undefined ? undefined : rows.get(id);
  return {
    text: text.trim(),
    tokens: estimateTokens(text),
    reason: reason ?? { kind: "state" as const },
    ...(memory ? { memory } : {}),
  };
}

interface Looking {
  readonly ports: ToolPorts;
  /** The caller's own store, which opens what another member may not. */
  readonly own: Store;
  readonly isOther: boolean;
}

/** Reason for which a memory was not even looked at. Throws for one that the caller may not open. */
async function reasonFor(id: number, prompt: string, { ports, own, isOther }: Looking): Promise<{ why: WhyNot }> {
  const known = await own.memories.byId(id);
  if (!known) throw noSuchMemory(id);
  if (isOther && !(await ports.store.memories.byId(id))) return { why: "closed_to_member" };
  const state = stateOf(known);
  if (state !== "live") return { why: state };
  if (isExpired(known, ports.clock.now())) return { why: "expired" };
  if ((await ports.store.memories.byIds([id], "here")).length === 0) return { why: "elsewhere" };
  if (known.flags.length > 0) return { why: "flagged" };
  if (!SHOWN_LAYERS.includes(known.layer)) return { why: "layer" };
  if (known.category === NOT_UNASKED) return { why: "skill" };
  if (await isOfJournal(known, own)) return { why: "journal" };
  if (prompt === "") return { why: "no_prompt" };
  return { why: isWorthAsking(prompt) ? "not_found" : "prompt_says_little" };
}

async function isOfJournal({ id, session, category }: Memory, store: Store): Promise<boolean> {
  if (category === "conversation") return true;
  const events = session === undefined ? undefined : await store.listings.sessionEvents({ session });
  const rule = events?.memories.find(({ memory }) => memory.id === id)?.rule;
  return NEVER_UNASKED.some((each) => each === rule);
}
