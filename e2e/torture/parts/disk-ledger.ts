import type { Backend } from "../../support/backend.ts";
import { type Door, restDoor, type ToolReply } from "../../support/clients/doors.ts";
import { inParallel } from "../../support/in-parallel.ts";
import { type Acknowledged, aFact, countLost, lostIn } from "../common.ts";

const WRITERS = 4;
const WRITES_A_ROUND = 40;

/** Requests to a store on a failing disk, and its answers. */
export interface Ledger {
  readonly kept: Acknowledged;
  readonly faults: string[];
  acknowledged: number;
  refused: number;
  acknowledgedMeanwhile: number;
}

export const emptyLedger = (faults: string[] = []): Ledger => ({
  kept: new Map(),
  faults,
  acknowledged: 0,
  refused: 0,
  acknowledgedMeanwhile: 0,
});

/** Adds one store's ledger to the total; different stores have different memories under equal ids. */
export function close(own: Ledger, all: Ledger): void {
  all.acknowledged += own.kept.size;
  all.refused += own.refused;
  all.acknowledgedMeanwhile += own.acknowledgedMeanwhile;
}

export async function writeSome(backend: Backend, ledger: Ledger, what: string): Promise<void> {
  const numbers = Array.from({ length: WRITES_A_ROUND }, (_, at) => at);
  await inParallel(numbers, WRITERS, (at) => store(backend, ledger, `${what}, entry ${at}`));
}

let stored = 0;

/** Stores a fact, records an acknowledgement and judges a refusal. */
export async function store(backend: Backend, ledger: Ledger, content: string): Promise<ToolReply> {
  const fact = aFact(`${++stored}: ${content}`);
  const reply = await restDoor(backend).call("chest_remember", fact);
  if (reply.error) {
    ledger.refused++;
    judge(reply, ledger, / (fails|flush fails),/.test(content));
    return reply;
  }
  const id = reply.result?.memory_id as number;
  // Two memories with one id mean that one is lost.
  if (ledger.kept.has(id)) ledger.faults.push(...lostIn(1));
  ledger.kept.set(id, fact.content);
  return reply;
}

/** Checks that a refusal tells its reader what to do. */
function judge({ status = 0, error }: ToolReply, { faults }: Ledger, isFailing: boolean): void {
  if (isFailing && error?.code === "STORAGE_FULL") faults.push("a disk that fails is told as one that is full");
  if (status !== 503 && status !== 507) faults.push(`a failing disk is answered with ${status}`);
  if (!error?.hint) faults.push(`a failing disk is answered without a hint (${error?.code})`);
  if (/SQLITE|I\/O error|chest\.db|\n\s+at /.test(JSON.stringify(error)))
    faults.push("an answer shows the engine's own words");
}

/** Reads may be refused as well, but only with a proper message. */
export async function readSome(door: Door, ledger: Ledger, what: string): Promise<void> {
  const [id] = ledger.kept.keys();
  // On a busy machine every write may have been refused; then no id is known.
  for (const question of [...(id === undefined ? [] : [{ ids: [id] }]), { query: "entry before" }]) {
    const reply = await door.call("chest_recall", { ...question, mark_accessed: false });
    if (reply.error) ledger.faults.push(`while ${what}, reading is refused: ${reply.error.code}`);
  }
}

export async function lookAtAll(door: Door, { kept, faults }: Ledger): Promise<void> {
  faults.push(...lostIn(await countLost(door, kept)));
}
