import { randomUUID } from "node:crypto";
import { ChestError } from "@chest/contracts";
import type { Lease } from "@chest/core/ports";
import type { Statements } from "../database/connection.ts";
import type { Writer } from "../database/write.ts";

const HOLDS_S = 10;
const RENEW_EVERY_MS = (HOLDS_S * 1000) / 3;
const NAME = "maintenance";

// Only the server's clock counts, because clocks of backends may differ by more than a lease.
const UNTIL = `clock_timestamp() + make_interval(secs => ${HOLDS_S})`;
const TAKE = `INSERT INTO leases AS l (name, holder, until) VALUES ('${NAME}', ?::uuid, ${UNTIL})
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE l.until < clock_timestamp()`;
const RENEW = `UPDATE leases SET until = ${UNTIL} WHERE name = '${NAME}' AND holder = ?::uuid AND until > clock_timestamp()`;
const GIVE = `DELETE FROM leases WHERE name = '${NAME}' AND holder = ?::uuid`;
// Shared lock until the commit: the lease cannot be taken over during a slice.
const HELD = `SELECT 1 FROM leases WHERE name = '${NAME}' AND holder = ?::uuid AND until > clock_timestamp() FOR SHARE`;

interface HeldLease {
  readonly holder: string;
  readonly lost: AbortController;
  readonly renewing: NodeJS.Timeout;
}

/**
 * Maintenance lease as a row: it expires when its holder dies, and each slice checks it in its own transaction, so that
 * a disconnected backend changes nothing after another has taken over.
 */
export class MaintenanceLease {
  readonly #writer: Writer;
  #held: HeldLease | undefined;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Undefined while this or another backend holds it. */
  async take(): Promise<Lease | undefined> {
    const holder = randomUUID();
    const { changes } = await this.#writer.write((tx) => tx.run(TAKE, holder));
    if (changes === 0) return undefined;
    const lost = new AbortController();
    const renewing = setInterval(() => void this.#renew(holder), RENEW_EVERY_MS).unref();
    const held = { holder, lost, renewing };
    this.#held = held;
    return { lost: lost.signal, release: () => this.#release(held) };
  }

  /** Refuses a slice of maintenance once the lease is lost. Work without a lease is not checked. */
  readonly fence = async (connection: Statements): Promise<void> => {
    const held = this.#held;
    if (!held) return;
    if (await connection.get(HELD, held.holder)) return;
    held.lost.abort();
    throw new ChestError("UNAVAILABLE", "another backend runs maintenance now: this one stops", {
      hint: "it goes on by itself",
    });
  };

  async close(): Promise<void> {
    if (this.#held) await this.#release(this.#held).catch(() => undefined);
  }

  async #renew(holder: string): Promise<void> {
    const renewed = await this.#writer.write((tx) => tx.run(RENEW, holder)).catch(() => undefined);
    // If the database is unreachable, it is asked again later; the fence protects the data meanwhile.
    if (renewed?.changes === 0 && this.#held?.holder === holder) this.#held.lost.abort();
  }

  async #release(held: HeldLease): Promise<void> {
    if (this.#held !== held) return;
    clearInterval(held.renewing);
    this.#held = undefined;
    await this.#writer.write((tx) => tx.run(GIVE, held.holder));
  }
}
