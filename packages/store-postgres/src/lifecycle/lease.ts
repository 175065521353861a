import { randomUUID } from "node:crypto";
import { ChestError } from "@chest/contracts";
import type { Lease } from "@chest/core";
import type { Statements } from "../database/connection.ts";
import type { Writer } from "../database/write.ts";

const HOLDS_S = 10;
const RENEW_EVERY_MS = (HOLDS_S * 1000) / 3;
const NAME = "maintenance";

// By the server's clock alone: backends may differ by more than a lease is long.
const UNTIL = `clock_timestamp() + make_interval(secs => ${HOLDS_S})`;
const TAKE = `INSERT INTO leases AS l (name, holder, until) VALUES ('${NAME}', ?::uuid, ${UNTIL})
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE l.until < clock_timestamp()`;
const RENEW = `UPDATE leases SET until = ${UNTIL} WHERE name = '${NAME}' AND holder = ?::uuid AND until > clock_timestamp()`;
const GIVE = `DELETE FROM leases WHERE name = '${NAME}' AND holder = ?::uuid`;
// Shared until the commit: the lease cannot be taken while a slice under it runs.
const HELD = `SELECT 1 FROM leases WHERE name = '${NAME}' AND holder = ?::uuid AND until > clock_timestamp() FOR SHARE`;

interface Held {
  readonly holder: string;
  readonly lost: AbortController;
  readonly renewing: NodeJS.Timeout;
}

/**
 * The right to run maintenance, as a row: it runs out when its holder dies, and each slice of the work asks for it in its
 * own transaction, so that a backend that was cut off changes nothing once another one has taken over.
 */
export class MaintenanceLease {
  readonly #writer: Writer;
  #held: Held | undefined;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Undefined while it is held, by this backend or another one. */
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

  /** Refuses a slice of maintenance once the lease is not held any more. Work without a lease goes unasked. */
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
    // A database that cannot be asked is asked again: the fence decides by itself.
    if (renewed?.changes === 0 && this.#held?.holder === holder) this.#held.lost.abort();
  }

  async #release(held: Held): Promise<void> {
    if (this.#held !== held) return;
    clearInterval(held.renewing);
    this.#held = undefined;
    await this.#writer.write((tx) => tx.run(GIVE, held.holder));
  }
}
