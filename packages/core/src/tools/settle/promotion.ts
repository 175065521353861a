import { ChestError } from "@chest/contracts";
import { z } from "zod";
import type { Caller } from "../../access/caller.ts";
import { noSuchMemory } from "../../access/refusals.ts";
import { isReviewer } from "../../access/review.ts";
import type { Warning } from "../../answers/wire.ts";
import type { Memory } from "../../memory/memory.ts";
import type { Writes } from "../../ports/store.ts";

export const promotionField = () =>
  z.enum(["approve", "decline"]).optional().describe("For admins: of one that waits for the team");

export const WAITS: Warning = {
  reason: "waits_for_review",
  message: "the team sees it once an admin approves: `chest_inspect` `promotions` lists what waits",
};

interface PromotionDecision {
  readonly id: number;
  readonly how: "approve" | "decline";
  readonly reason: string | undefined;
  /** Throws if the memory is not of the version that the caller knows. */
  check(memory: Memory): void;
}

/** Approves or declines a request to share a memory with the team. */
export async function settlePromotion(
  tx: Writes,
  { id, how, reason, check }: PromotionDecision,
  caller: Caller,
): Promise<Memory> {
  const waiting = await tx.promotions.byId(id);
  if (!waiting) throw await refusal(tx, id);
  check(waiting);
  if (how === "decline") return tx.promotions.decline(waiting, reason);
  if (!isReviewer(caller)) throw forReviewers(id);
  return tx.memories.move(waiting, { visibility: "team" }, reason);
}

async function refusal(tx: Writes, id: number): Promise<ChestError> {
  const memory = await tx.memories.byId(id);
  if (!memory) return noSuchMemory(id);
  return memory.requestedVisibility === undefined ? notWaiting(id) : forReviewers(id);
}

const notWaiting = (id: number) =>
  new ChestError("VERSION_CONFLICT", `memory ${id} does not wait for the team`, {
    hint: "it was approved, declined or moved meanwhile: `chest_inspect` `promotions` lists what waits",
    details: { id },
  });

const forReviewers = (id: number) =>
  new ChestError("FORBIDDEN", `memory ${id} waits for an admin, who lets the team see it or not`, {
    hint: "ask an admin",
    details: { memory_id: id },
  });
