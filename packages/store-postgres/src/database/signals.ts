import { setTimeout as sleep } from "node:timers/promises";
import { ChestError } from "@chest/contracts";
import { CHANGED, type Signals } from "@chest/core/ports";
import type { Connections, SignalListener } from "./connection.ts";

const CHANNEL = "chest_signals";
// The server's limit is 8,000.
const MOST_BYTES = 7000;
const PAUSE_MS = 500;
// NOTIFY inside writes would serialise their commits.
const CHANGES_EVERY_MS = 200;

/** Messages between backends by LISTEN and NOTIFY, over a separate connection that is restored when it is lost. */
export class DatabaseSignals implements Signals {
  readonly #connections: Connections;
  readonly #listeners = new Set<(text: string) => void>();
  #ear: SignalListener | undefined;
  #isClosed = false;
  #listening: Promise<void> | undefined;
  #resting: NodeJS.Timeout | undefined;
  #isChangedSince = false;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async send(text: string): Promise<void> {
    if (Buffer.byteLength(text) > MOST_BYTES)
      throw new ChestError("PAYLOAD_TOO_LARGE", `a message between backends is longer than ${MOST_BYTES} bytes`);
    await this.#connections.run("SELECT pg_notify(?, ?)", CHANNEL, text);
  }

  hear(listener: (text: string) => void): () => void {
    this.#listeners.add(listener);
    // A process that does not listen needs no connection.
    this.#listening ??= this.#listen();
    return () => void this.#listeners.delete(listener);
  }

  /** Announces a committed write: the first at once, those right after it together. */
  readonly changed = (): void => {
    this.#isChangedSince = this.#resting !== undefined;
    if (this.#resting !== undefined || this.#isClosed) return;
    // A backend that misses it polls soon.
    void this.send(CHANGED).catch(() => undefined);
    this.#resting = setTimeout(() => {
      this.#resting = undefined;
      if (this.#isChangedSince) this.changed();
    }, CHANGES_EVERY_MS).unref();
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#resting);
    await this.#ear?.close();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    while (!this.#isClosed) {
      try {
        this.#ear = await this.#connections.listen(CHANNEL, (text) => {
          for (const listener of this.#listeners) listener(text);
        });
        if (this.#isClosed) await this.#ear.close();
        await this.#ear.ended;
      } catch {
        // The database is unreachable, which every call reports.
      }
      if (!this.#isClosed) await sleep(PAUSE_MS);
    }
  }
}
