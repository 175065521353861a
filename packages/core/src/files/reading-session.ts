import type { Call } from "../executor.ts";
import type { Readings } from "../ports/readings.ts";
import type { SnapshotKey, Snapshots } from "../ports/snapshots.ts";

export interface ReadingSessionOptions {
  readonly machine: string;
  readonly session: string;
  /** Changes when the agent has lost its context, and with it the file contents that it was given. */
  contextMark(): Promise<string>;
  readonly onFailure?: (error: unknown) => void;
}

/** Files that one agent has in view. It ends early when the agent's context is cleared or compacted. */
export class ReadingSession {
  readonly #options: ReadingSessionOptions;
  #mark: Promise<string>;
  #contexts = 1;
  /** Paths whose snapshot may differ from the content that the agent was given last. */
  readonly #doubted = new Set<string>();

  constructor(options: ReadingSessionOptions) {
    this.#options = options;
    this.#mark = options.contextMark();
  }

  /** Opens the readings of one call over its caller's snapshots. */
  readings(snapshots: Snapshots, { signal }: Pick<Call, "signal">): Readings {
    const { onFailure } = this.#options;
    let isReachable = true;
    const attempt = async <T>(work: () => Promise<T>): Promise<{ readonly given: T } | undefined> => {
      try {
        return { given: await work() };
      } catch (error) {
        onFailure?.(error);
        isReachable = false; // A backend that does not answer is waited for once a call.
        return undefined;
      }
    };
    return {
      last: async (path) => {
        const key = await this.#keyOf(path);
        const found = await attempt(() => snapshots.find(key));
        const { snapshot, facts = [] } = found?.given ?? {};
        return { isKnown: found !== undefined, snapshot: this.#doubted.has(path) ? undefined : snapshot, facts };
      },
      keep: async (path, reading) => {
        this.#doubted.add(path);
        const key = await this.#keyOf(path);
        const kept = isReachable ? await attempt(() => snapshots.put(key, reading)) : undefined;
        if (!kept || signal.aborted) return false;
        this.#doubted.delete(path);
        // Cancelled from here on, the answer does not arrive.
        signal.addEventListener("abort", () => this.#doubted.add(path), { once: true });
        return true;
      },
      keepSeen: async (path, mtimeNs) => {
        const key = await this.#keyOf(path);
        await attempt(() => snapshots.touch(key, mtimeNs));
      },
    };
  }

  async #keyOf(path: string): Promise<SnapshotKey> {
    const { machine, session, contextMark } = this.#options;
    const known = await this.#mark;
    this.#mark = contextMark();
    if ((await this.#mark) !== known) this.#contexts += 1;
    return { machine, session: `${session}.${this.#contexts}`, path };
  }
}
