import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChestError, type ErrorCode } from "@chest/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HookBackend } from "../backend/memory-backend.ts";
import { sessionStart } from "../events/session-start.ts";
import { stop } from "../events/stop.ts";
import { eventOf } from "../testing/event-context.ts";
import { deliver, replay } from "./deliver.ts";
import { addPending } from "./pending-sessions.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "chest-deliver-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const waiting = () => {
  const folder = join(dataDir, "outbox", "sessions");
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

/** Writes a transcript whose delivery has been pending since a day of November. */
function pending(session: string, day: number, { isGone = false } = {}): string {
  const transcript = join(dataDir, `${session}.jsonl`);
  if (!isGone) writeFileSync(transcript, `${session} said this\n`);
  const since = new Date(Date.now() - (30 - day) * 86_400_000).toISOString();
  addPending(dataDir, { session, transcript, project: undefined, place: "here", keep: [], since, mark: session });
  return transcript;
}

/** An event of a session, at a place that refuses some of them. */
function at(session: string, refusals: Readonly<Record<string, ErrorCode>> = {}, during = () => {}) {
  const told: string[] = [];
  const listen = (about: string) => {
    told.push(about);
    during();
    const code = refusals[about];
    if (code) throw new ChestError(code, "refused");
  };
  const place: Partial<HookBackend> = {
    ask: async () => ({ context: "a lesson", ids: [1] }),
    take: async (about, lines, fromLine) => {
      listen(about);
      return fromLine + lines.length;
    },
    keep: async (about) => listen(about),
  };
  return { ...eventOf({ dataDir, session, place }), told };
}

describe("what other sessions left to be told", () => {
  it("is told though the transcript of the first is gone, which nothing waits for any more", async () => {
    pending("first", 1, { isGone: true });
    pending("second", 2);
    const { eventContext, told } = at("now");
    await replay(eventContext, 300);
    expect(told).toEqual(["second"]);
    expect(waiting()).toEqual([]);
  });

  it.each(["PAYLOAD_TOO_LARGE", "INTERNAL_ERROR", "NOT_FOUND", "BACKEND_PROTOCOL_ERROR"] as const)(
    "is told though the place answers the first with %s, which waits on",
    async (code) => {
      pending("first", 1);
      pending("second", 2);
      const { eventContext, told } = at("now", { first: code });
      expect(await replay(eventContext, 300)).toBe(1);
      expect(told).toEqual(["first", "second"]);
      expect(waiting()).toEqual(["first.json"]);
    },
  );

  it("waits, and is not tried one by one, while nobody listens", async () => {
    pending("first", 1);
    pending("second", 2);
    const { eventContext, told } = at("now", { first: "UNAVAILABLE" });
    expect(await replay(eventContext, 300)).toBe(0);
    expect(told).toEqual(["first"]);
    expect(waiting()).toEqual(["first.json", "second.json"]);
  });
});

it("tells of others when a turn ends, though its own session is refused", async () => {
  const transcript = pending("now", 1);
  pending("second", 2);
  const { eventContext, told } = at("now", { now: "PAYLOAD_TOO_LARGE" });
  await expect(stop({ ...eventContext, transcript })).rejects.toThrow("refused");
  expect(told).toEqual(["now", "second"]);
  expect(waiting()).toEqual(["now.json"]);
});

it("shows a session that begins what it has to see, though its own past cannot be told", async () => {
  pending("now", 1);
  const { eventContext, said } = at("now", { now: "INTERNAL_ERROR" });
  expect(await sessionStart(eventContext)).toBe("shown=1");
  expect(said).toEqual(["a lesson"]);
  expect(waiting()).toEqual(["now.json"]);
});

it("leaves what another event adds while a session is told", async () => {
  const transcript = pending("now", 1);
  const added = () =>
    addPending(dataDir, {
      session: "now",
      transcript,
      project: undefined,
      place: "here",
      keep: ["session-end"],
      since: new Date().toISOString(),
      mark: "another",
    });
  const { eventContext } = at("now", {}, added);
  expect(await deliver({ ...eventContext, transcript })).toBe("sent");
  expect(waiting()).toEqual(["now.json"]);
});
