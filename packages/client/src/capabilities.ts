import { assertSpoken, type Capabilities, ChestError, endpoints } from "@chest/contracts";
import type { Backend } from "./backend.ts";
import { isQuick } from "./no-answer.ts";

/** Capabilities of the backend, cached for a minute. */
export interface KnownCapabilities {
  /** Undefined when it cannot be asked: calls are tried anyway. Throws `CLIENT_TOO_OLD`. */
  current(): Promise<Capabilities | undefined>;
  /** Drops the cached capabilities; called after a 426, which says that they have changed. */
  forget(): void;
}

const KEPT_MS = 60_000;
const ASK_MS = 5_000;
// How long a failure is cached. A backend that hangs would cost every call its timeout; one that refuses connections
// answers at once and may be back by now.
const FAILURE_KEPT_MS = 5_000;
const QUICK_FAILURE_KEPT_MS = 250;

interface Inquiry {
  readonly answer: Promise<Capabilities | undefined>;
  readonly until: number;
}

/** Asks when first needed, one question at a time. */
export function knownCapabilities(backend: Backend, now: () => number = () => performance.now()): KnownCapabilities {
  let asked: Inquiry | undefined;

  const ask = async (): Promise<Capabilities | undefined> => {
    try {
      return await backend.call(endpoints.capabilities, { tries: 1, withinMs: ASK_MS });
    } catch (error) {
      if (!(error instanceof ChestError)) throw error;
      // The error is not passed on: the call itself will fail with a better one.
      asked = asked && { ...asked, until: now() + (isQuick(error) ? QUICK_FAILURE_KEPT_MS : FAILURE_KEPT_MS) };
      if (error.code === "CLIENT_TOO_OLD") throw error;
      return undefined;
    }
  };

  return {
    async current() {
      if (!asked || asked.until <= now()) asked = { answer: ask(), until: now() + KEPT_MS };
      const capabilities = await asked.answer;
      if (capabilities) assertSpoken(capabilities);
      return capabilities;
    },
    forget() {
      asked = undefined;
    },
  };
}
