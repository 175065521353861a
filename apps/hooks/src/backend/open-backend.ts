import { readBaseUrl } from "@chest/client/address";
import { ChestError } from "@chest/contracts";
import type { Memory } from "../hook-event.ts";
import type { Budget } from "../process/deadline.ts";
import type { Settings } from "../process/settings.ts";
import { isPaused } from "./circuit-breaker.ts";
import type { HookBackend } from "./memory-backend.ts";

export interface OpenMemory extends Memory {
  /** Whether it has answered: then it does not hang, however little time is left. */
  hasAnswered(): boolean;
  close(): Promise<void>;
}

export function openMemory({ place: where, hasOutbox }: Settings, dataDir: string, budget: Budget): OpenMemory {
  const opened = new Map<string, Promise<HookBackend | undefined>>();
  let isAnswered = false;
  const name = where.mode === "remote" ? readBaseUrl(where.url) : where.dbPath;

  const noting = (place: HookBackend | undefined): HookBackend | undefined => {
    const noted = async <T>(answer: Promise<T>): Promise<T> => {
      const given = await answer;
      isAnswered = true;
      return given;
    };
    return (
      place && {
        ...place,
        ask: (...request) => noted(place.ask(...request)),
        take: (...taken) => noted(place.take(...taken)),
        keep: (...kept) => noted(place.keep(...kept)),
      }
    );
  };

  async function begin(purpose: "read" | "write", project: string | undefined): Promise<HookBackend | undefined> {
    if (where.mode === "local") {
      const { localPlace } = await import("./local-backend.ts");
      return localPlace(where, project, { budget, mayWrite: purpose === "write" });
    }
    const { remotePlace } = await import("./remote-backend.ts");
    return remotePlace(where, project, budget);
  }

  return {
    name,
    hasOutbox,
    isRemote: where.mode === "remote",
    async open(purpose, project) {
      if (isPaused(dataDir, name)) throw new ChestError("UNAVAILABLE", "it was slow a moment ago");
      const key = JSON.stringify([purpose, project]);
      const place = opened.get(key) ?? begin(purpose, project).then(noting);
      opened.set(key, place);
      return place;
    },
    hasAnswered: () => isAnswered,
    async close() {
      for (const place of opened.values()) await (await place.catch(() => undefined))?.close();
    },
  };
}
