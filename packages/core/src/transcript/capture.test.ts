import { aCall, testEngine, testPorts, transcriptOf } from "@chest/testing";
import { describe, expect, it } from "vitest";
import { captureTranscript } from "./capture.ts";
import { linesOf } from "./lines.ts";

const { user } = transcriptOf("one");
const MEGABYTE = 1024 * 1024;

/** Captures a body, and counts the turns that other work had meanwhile. */
async function capture(text: string, options = {}) {
  const { clock } = testPorts();
  const call = aCall({});
  const bytes = Buffer.from(text);
  let isDone = false;
  let turns = 0;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const store = (await testEngine({ clock })).as(call);
  const report = await captureTranscript(() => linesOf(bytes), options, { store, clock }, call.caller);
  isDone = true;
  return { report, turns };
}

describe("a body that is no transcript", () => {
  it.each([
    ["empty lines", "\n".repeat(16 * MEGABYTE), 15],
    ["blank lines", " \n".repeat(MEGABYTE), 100],
    ["lines that say nothing", "{}\n".repeat(MEGABYTE), 100],
    ["long lines that say nothing", `{"type":"${"x".repeat(MEGABYTE)}"}\n`.repeat(16), 15],
  ])("of %s lets others have their turns, and is given up", async (_, text, least) => {
    const { report, turns } = await capture(text);
    expect(report).toBeUndefined();
    expect(turns).toBeGreaterThanOrEqual(least);
  });

  it("lets others have their turns where its session is known beforehand", async () => {
    const text = `${user("Let the heron sleep until the morning, please.")}\n${"{}\n".repeat(20_000)}`;
    const { report, turns } = await capture(text);
    expect(report).toMatchObject({ session: "one", nextLine: 20_001 });
    expect(turns).toBeGreaterThanOrEqual(20_000 / 50);
  });
});

describe("a transcript", () => {
  it("is found behind thousands of lines without a turn", async () => {
    const text = `${'{"type":"progress"}\n'.repeat(5000)}${"\n".repeat(5000)}${user("Let the heron sleep, please, until the morning.")}\n`;
    const { report } = await capture(text);
    expect(report).toMatchObject({ session: "one", nextLine: 10_001 });
  });
});
