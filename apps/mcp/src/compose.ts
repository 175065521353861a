import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type StatedClient, WIRE_VERSION } from "@chest/contracts";
import { type Call, type Executor, localCaller, logCalls, TOOLS, wrap } from "@chest/core";
import { RELEASE } from "@chest/runtime";
import { SERVER_NAME } from "@chest/surface";
import { type Config, type LocalPlace, type RemotePlace } from "./config.ts";
import { openLocal } from "./local.ts";
import type { Log } from "./log.ts";
import { readMachineId } from "./machine.ts";
import { readProject } from "./project.ts";
import { openRemote } from "./remote.ts";
import { Running } from "./running.ts";

/** The tools as this program runs them, and how they end. */
export interface Composition {
  readonly executor: Executor;
  callFor(signal: AbortSignal): Call;
  /** Begins what runs by itself. */
  start(): void;
  /** Lets calls finish, then keeps or flushes what is left. */
  close(): Promise<void>;
}

/** What runs the tools, whichever place that is. */
export interface Place {
  readonly executor: Executor;
  start(): void;
  /** Ends what is still running so that nothing of it is lost. */
  interrupt(): void;
  close(): Promise<void>;
}
