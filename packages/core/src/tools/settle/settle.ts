import { ChestError } from "@chest/contracts";
import { z } from "zod";
import { cited } from "../../answers/answer-text.ts";
import { isProtected, type Memory, stateOf } from "../../memory/memory.ts";
import type { Writes } from "../../ports/store.ts";
import { redact } from "../../redaction/redact.ts";
import { wellFormed } from "../../text/characters.ts";
import { invalid, type ToolPorts } from "../../tool.ts";
import * as field from "../fields.ts";
import { mergeAll, notLive } from "../merge.ts";

/** Ways to settle a pair. */
export const SETTLEMENTS = ["keep_this", "keep_other", "both_hold", "merge", "different", "reopen"] as const;

/** Arguments of `settle`, which decides between two contradicting memories; flat like all arguments. */
export const settleFields = {
  settle: z
    .enum(SETTLEMENTS)
    .optional()
    .describe("Alone in its call; both_hold needs a reason; different: no duplicates; reopen undoes"),
  against: field.id().optional().describe("Of settle: the other memory"),
  against_version: z.int().positive().optional(),
  reason: z.string().trim().min(1).max(500).transform(wellFormed).optional().describe("Kept with the version before"),
};

type Args = z.output<z.ZodObject<typeof settleFields>>;

export interface Settle {
  readonly how: NonNullable<Args["settle"]>;
  readonly against: number;
  readonly version: number | undefined;
  readonly reason: string | undefined;
}

/** Result of `settle` in an answer. */
export const settledOutput = z.looseObject({
  against: z.int(),
  how: z.string(),
  into: z.int().optional(),
  superseded: z.array(z.int()).optional(),
  restored: z.array(z.int()).optional(),
});

/** Renders that result as text. */
export function settledText(id: number, { against, how, into, restored = [] }: z.output<typeof settledOutput>): string {
  const both = cited([id, against]);
  const [kept, replaced] = how === "keep_other" ? [against, id] : [id, against];
  const outcomes: Readonly<Record<string, string>> = {
    keep_this: `${cited([kept])} holds, and ${cited([replaced])} is replaced`,
    keep_other: `${cited([kept])} holds, and ${cited([replaced])} is replaced`,
    both_hold: `${both} both hold`,
    merge: `${both} are merged${into === undefined ? "" : ` into ${cited([into])}`}`,
    different: `${both} are about different things`,
    reopen: `${both} are open again${restored.length > 0 ? `, ${cited(restored)} back in sight` : ""}`,
  };
  return Object.hasOwn(outcomes, how) ? `settled: ${outcomes[how]}` : `settled: ${both}`;
}

interface PairToSettle extends Settle {
  readonly memory: Memory;
  readonly other: Memory;
}

/** Parses the arguments of `settle`, without the store; undefined if there are none. */
export function readSettle(args: Args & { readonly memory_id: number }): Settle | undefined {
  const { settle: how, against, against_version: version, reason } = args;
  if (how === undefined) {
    const excess = Object.entries({ against, against_version: version }).find(([, given]) => given !== undefined);
    if (excess) throw invalid([{ path: excess[0], message: "is only for `settle`" }]);
    return undefined;
  }
  if (against === undefined) throw invalid([{ path: "against", message: "is needed: the memory that says otherwise" }]);
  if (against === args.memory_id) throw invalid([{ path: "against", message: "is the memory itself" }]);
  if (how === "both_hold" && reason === undefined)
    throw invalid([{ path: "reason", message: "is needed where both hold: say when each does" }]);
  return { how, against, version, reason };
}

/** Settles a contradiction between two memories. The history keeps everything, and `reopen` undoes it. */
export async function settlePair(
  request: PairToSettle,
  tx: Writes,
  { clock, limits }: Pick<ToolPorts, "clock" | "limits">,
) {
  const { memory, other, how } = request;
  if (how === "reopen") return reopen(tx, memory, other);
  for (const each of [memory, other]) if (stateOf(each) !== "live") throw notLive(each);
  if (how === "different") return differ(tx, request);
  if (!(await tx.conflicts.opponents([memory.id])).get(memory.id)?.includes(other.id)) throw notOpen(memory, other);
  if (how === "both_hold") {
    await tx.conflicts.settle(memory, other, redact(request.reason ?? ""));
    return {};
  }
  if (how === "merge") {
    const merge = { now: clock.now(), text: undefined, mostChars: limits.contentChars };
    const { memory_id: into, merged, ...kept } = await mergeAll(tx, [memory, other], merge);
    return { into, superseded: merged, ...kept };
  }
  const [kept, replaced] = how === "keep_this" ? [memory, other] : [other, memory];
  if (isProtected(replaced)) throw protectedMemory(replaced);
  if (!(await tx.memories.isOpenToReadersOf(replaced, kept))) throw narrower(kept, replaced);
  await tx.memories.supersede(replaced, kept.id);
  return { superseded: [replaced.id] };
}

/** Records that two similar memories are about different things. */
async function differ(tx: Writes, { memory, other, reason }: PairToSettle) {
  if ((await tx.conflicts.opponents([memory.id])).get(memory.id)?.includes(other.id))
    throw contradicting(memory, other);
  if ((await tx.conflicts.settlementOf(memory, other)) !== undefined) throw alreadySettled(memory, other);
  const note = reason === undefined ? DIFFERENT : `${DIFFERENT}: ${redact(reason)}`;
  await tx.conflicts.settle(memory, other, note);
  return {};
}

/** Prefix of the note on a link between two memories that are not duplicates. */
const DIFFERENT = "different things";

/** Restores both memories, archives the one they were merged into, and links them as before. */
async function reopen(tx: Writes, memory: Memory, other: Memory) {
  const successors = [memory, other].flatMap(({ supersededById }) => supersededById ?? []);
  const [one, ...rest] = new Set(successors);
  const isMerged = one !== undefined && rest.length === 0 && one !== memory.id && one !== other.id;
  const isKept = successors.every((id) => id === memory.id || id === other.id);
  if (!isMerged && !isKept) throw notSettled(memory, other);
  const note = await tx.conflicts.settlementOf(memory, other);
  if (successors.length === 0 && note === undefined) throw notSettled(memory, other);
  const restored: number[] = [];
  for (const each of [memory, other]) {
    if (each.supersededById === undefined) {
      if (stateOf(each) !== "live") throw notLive(each);
      continue;
    }
    await tx.memories.restore(each);
    restored.push(each.id);
  }
  const merged = isMerged ? await tx.memories.byId(one) : undefined;
  if (merged && stateOf(merged) === "live" && !isProtected(merged)) await tx.memories.archive(merged, "merged");
  const [a, b] = await tx.memories.byIds([memory.id, other.id]);
  if (a && b) await tx.conflicts.reopen(a, b, note?.startsWith(DIFFERENT) ? "alike" : "contradicting");
  return restored.length > 0 ? { restored } : {};
}

const notOpen = ({ id }: Memory, other: Memory) =>
  new ChestError("VERSION_CONFLICT", `memories ${id} and ${other.id} are not noted to contradict each other`, {
    hint: "they were settled or changed meanwhile: recall both by id; `supersedes` replaces one in any case",
    details: { ids: [id, other.id] },
  });

const contradicting = ({ id }: Memory, other: Memory) =>
  new ChestError("INVALID_INPUT", `settle: memories ${id} and ${other.id} are noted to contradict each other`, {
    hint: "say `both_hold` with the reason, or keep one",
    details: { field: "settle", ids: [id, other.id] },
  });

const alreadySettled = ({ id }: Memory, other: Memory) =>
  new ChestError("VERSION_CONFLICT", `memories ${id} and ${other.id} were settled already`, {
    hint: "`view` `related` shows how; `reopen` undoes it",
    details: { ids: [id, other.id] },
  });

const notSettled = ({ id }: Memory, other: Memory) =>
  new ChestError("INVALID_INPUT", `settle: memories ${id} and ${other.id} were not settled against each other`, {
    hint: "there is nothing to reopen; the `history` of each shows what was done",
    details: { field: "settle", ids: [id, other.id] },
  });

const protectedMemory = ({ id, layer }: Memory) =>
  new ChestError("PROTECTED", `memory ${id} is protected and is replaced by none`, {
    hint: "say `both_hold` with the reason, or lower its importance first",
    details: { preserved: true, memory_id: id, layer },
  });

const narrower = (kept: Memory, replaced: Memory) =>
  new ChestError("FORBIDDEN", `some readers of memory ${replaced.id} may not read memory ${kept.id}`, {
    hint: "first raise the visibility of the one that is kept",
    details: { ids: [kept.id, replaced.id] },
  });
