import { setTimeout as sleep } from "node:timers/promises";
import { readQuery } from "@chest/core";
import type { Bench } from "./bench.ts";
import { atMost, type Figure } from "./figures.ts";
import { recallRequest, rememberRequest } from "./memory-requests.ts";
import { residentMbOf } from "./process-use.ts";
import { Load } from "./requests.ts";
import { endless, readSections } from "./texts.ts";

const IDLE_MS = 10_000;
const CALLS = 100;

/** How much memory a backend with one search thread holds while nobody asks it anything. */
export const idle: Bench = async ({ startServer }) => {
  const server = await startServer();
  const load = new Load(server, 1);
  try {
    await sleep(IDLE_MS);
    const fresh = residentMbOf(server.pid);
    const sections = Array.from({ length: CALLS }, endless(readSections()));
    await load.run(sections.map(rememberRequest));
    await load.run(sections.map(({ text }) => recallRequest(readQuery(text).words.slice(0, 5).join(" "))));
    await sleep(IDLE_MS);
    const used = residentMbOf(server.pid);
    return [
      inMb("backend, idle after its start", fresh),
      inMb(`backend, idle after ${CALLS} remembers and recalls`, used),
    ];
  } finally {
    await load.close();
    await server.stop();
  }
};

const inMb = (name: string, value: number): Figure => ({ name, value, unit: "MB", goal: atMost(220, value, "220 MB") });
