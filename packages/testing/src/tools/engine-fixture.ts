import { localCaller, openAccessAdmin } from "@chest/core/access";
import { KNOWN_IDENTITIES } from "@chest/core/embedding";
import type { Call, HostPorts } from "@chest/core/executor";
import type { Engine, Store } from "@chest/core/ports";
import { afterAll, beforeAll } from "vitest";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { aCall, type FixedClock, testPorts } from "../fakes.ts";

/** One engine for a group of tests: each has agents of its own, so they do not meet. */
export interface EngineFixture {
  readonly engine: Engine;
  readonly ports: HostPorts & { readonly clock: FixedClock };
  readonly clock: FixedClock;
  as(over: Partial<Call>): Store;
}

export function engineFixture(open: OpenEngine, over: Parameters<typeof testPorts>[0] = {}): EngineFixture {
  const ports = testPorts(over);
  let engine: Engine | undefined;
  beforeAll(async () => {
    engine = await open({ clock: ports.clock, active: over.embedder?.identity ?? KNOWN_IDENTITIES[0] });
  });
  afterAll(() => engine?.close());
  const opened = (): Engine => {
    if (!engine) throw new Error("the engine opens before its first test");
    return engine;
  };
  return {
    ports,
    clock: ports.clock,
    get engine() {
      return opened();
    },
    as: (call) => opened().as(aCall(call)),
  };
}

/** Opens a project only to a caller with the file itself. */
export const closeProject = ({ engine, clock }: EngineFixture, key = "") =>
  openAccessAdmin(engine.access, localCaller(undefined), clock).setProject({ key, access: "members" });
