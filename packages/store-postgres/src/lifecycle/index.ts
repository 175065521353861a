import type { Clock, Lifecycle } from "@chest/core/ports";
import { Fingerprints } from "@chest/core/statements";
import type { Transactions } from "@chest/store/database/transact";
import { readDue } from "@chest/store/lifecycle/due";
import { lifecycleOver } from "@chest/store/lifecycle/index";
import type { Slices, SweepParts } from "@chest/store/lifecycle/sweeper";
import type { AccessBuffer } from "@chest/store/memories/access-buffer";
import type { Reading } from "../database/connection.ts";
import { writePartsOf } from "../memories/write-parts.ts";
import type { Transaction } from "../writing/transaction.ts";
import type { MaintenanceLease } from "./lease.ts";

// Writers wait for the rows that a slice locks.
const TARGET_MS = 50;

/** Runs slices as concurrent transactions, without pauses. */
const slicesOf = ({ transact }: Transactions): Slices => ({
  targetMs: TARGET_MS,
  async run(options, work) {
    const startedAt = performance.now();
    const tookMs = () => performance.now() - startedAt;
    return { value: await transact(options, (tx) => work(tx, tookMs)), tookMs: tookMs() };
  },
  pause: async () => undefined,
});

// A sweep compares no new memory with stored ones.
const NO_FINGERPRINTS = new Fingerprints();

interface LifecycleParts {
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly accesses: AccessBuffer;
}

/**
 * Engine-specific parts of sweeps.
 * @param reader limited to a caller's spaces for its own sweep
 */
export const sweepPartsOf = ({ transactions, clock, accesses }: LifecycleParts, reader: Reading): SweepParts => ({
  reader,
  ask: (name, query) => readDue(reader, name, query),
  slices: slicesOf(transactions),
  clock,
  writePartsOf: (tx) => writePartsOf(tx as Transaction, NO_FINGERPRINTS),
  flushAccesses: () => accesses.flush(),
});

/** Maintenance of the whole store. */
export const postgresLifecycle = (
  parts: LifecycleParts & { readonly reader: Reading },
  lease: MaintenanceLease,
): Lifecycle => ({
  ...lifecycleOver({ ...sweepPartsOf(parts, parts.reader), fence: lease.fence }, parts.transactions),
  lease: () => lease.take(),
});
