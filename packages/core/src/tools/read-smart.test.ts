import { createHash } from "node:crypto";
import { aCall, randomEdit, randomText, seeded } from "@chest/testing";
import { describe, expect, it } from "vitest";
import { besideAgent, type Call, throughStages } from "../executor.ts";
import { linesOf } from "../files/chunk.ts";
import type { FileFact } from "../files/file-facts.ts";
import { ReadingSession } from "../files/reading-session.ts";
import { noOutline } from "../ports/files/outline.ts";
import type { FileSnapshot, Snapshots } from "../ports/snapshots.ts";
import { estimateTokens } from "../text/tokens.ts";
import { FILE_TOOLS, TOOLS } from "./index.ts";

const PATH = "/home/dev/app/src/a.ts";

interface InMemory extends Snapshots {
  readonly kept: Map<string, FileSnapshot>;
  facts: readonly FileFact[];
  fails: boolean;
}

function snapshotsInMemory(): InMemory {
  const kept = new Map<string, FileSnapshot>();
  const of = ({ machine, session, path }: { machine: string; session: string; path: string }) =>
    `${machine} ${session} ${path}`;
  return {
    kept,
    facts: [],
    fails: false,
    async find(key) {
      if (this.fails) throw new Error("nobody answers");
      return { snapshot: kept.get(of(key)), facts: this.facts };
    },
    async put(key, reading) {
      if (this.fails) throw new Error("nobody answers");
      kept.set(of(key), { ...reading, path: key.path, lastReadAt: new Date(0), readCount: 1 });
    },
    async touch(key, mtimeNs) {
      const known = kept.get(of(key));
      if (known) kept.set(of(key), { ...known, mtimeNs: mtimeNs ?? known.mtimeNs });
    },
  };
}

/** One agent's session, over a file with any content. */
function openAgent(snapshots = snapshotsInMemory(), session = "s1", machine = "m1") {
  const file: { bytes: Uint8Array; mtimeNs: string } = { bytes: new Uint8Array(), mtimeNs: "1" };
  let mark = "";
  const reading = new ReadingSession({ machine, session, contextMark: async () => mark });
  const workspace = { read: async () => ({ path: PATH, ...file }), roots: async () => ["/home/dev/app"] };
  const ports = (call: Call) => ({ workspace, outline: noOutline, readings: reading.readings(snapshots, call) });
  const elsewhere = () => Promise.reject(new Error("runs elsewhere"));
  const { execute } = throughStages(TOOLS, elsewhere, besideAgent(FILE_TOOLS, ports));
  return {
    snapshots,
    write(text: string | Uint8Array, mtimeNs = String(Number(file.mtimeNs) + 1)) {
      file.bytes = typeof text === "string" ? Buffer.from(text) : text;
      file.mtimeNs = mtimeNs;
    },
    // biome-ignore lint/suspicious/noExplicitAny: an answer, looked into as an agent would.
    read: (over: object = {}, call = aCall()): Promise<any> =>
      execute("chest_read_smart", { path: PATH, ...over }, call),
    endContext() {
      mark += "x";
    },
  };
}

const long = (count: number, of = "line"): string => Array.from({ length: count }, (_, at) => `${of} ${at}\n`).join("");

/** Rebuilds the new text from the old one and the answer. */
function rebuilt(before: string, answer: Record<string, unknown>): string {
  if (answer.full) return String(answer.content);
  const old = linesOf(before);
  const pieces = [
    ...(answer.changed_chunks as { start_line: number; content: string }[]).map(({ start_line, content }) => ({
      start: start_line,
      content,
    })),
    ...(answer.unchanged_chunks as { lines: string; prev_lines: string }[]).map(({ lines, prev_lines }) => {
      const [start = 0] = lines.split("-").map(Number);
      const [from = 0, to = 0] = prev_lines.split("-").map(Number);
      return { start, content: old.slice(from - 1, to).join("") };
    }),
  ];
  return pieces
    .sort((one, other) => one.start - other.start)
    .map(({ content }) => content)
    .join("");
}

describe("a file", () => {
  it("comes whole the first time, with what it consists of", async () => {
    const agent = openAgent();
    agent.write(long(500));
    const answer = await agent.read();

    expect(answer).toMatchObject({ status: "first_read", path: PATH, content: long(500), tokens_saved: 0 });
    expect(answer.chunks[0]).toMatchObject({ start_line: 1 });
    expect(answer.chunks.at(-1)).toMatchObject({ end_line: 500 });
    expect(answer).not.toHaveProperty("cache");
  });

  it("comes with what is remembered about it, however it is given", async () => {
    const agent = openAgent();
    const facts = [{ id: 7, layer: "realize", preview: "the last line is read twice" }];
    agent.snapshots.facts = facts;
    agent.write(long(500));
    const answers = [await agent.read(), await agent.read()];
    agent.write(long(500), "9");
    answers.push(await agent.read());
    agent.write(`${long(499)}another\n`);
    answers.push(await agent.read(), await agent.read({ force: true }));

    expect(answers.map(({ status }) => status)).toEqual([
      "first_read",
      "unchanged",
      "unchanged_content",
      "modified",
      "forced_full",
    ]);
    for (const answer of answers) {
      expect(Object.keys(answer)[0]).toBe("_notice");
      expect(answer.file_facts).toEqual(facts);
    }
    agent.snapshots.fails = true;
    expect(await agent.read()).toMatchObject({ ok: true, file_facts: [], cache: "unavailable" });
  });

  it("costs next to nothing while it is the same, and says what was saved in truth", async () => {
    const agent = openAgent();
    agent.write(long(500));
    const { chunks } = await agent.read();
    const answer = await agent.read();

    expect(answer).toMatchObject({ status: "unchanged", chunk_count: chunks.length, chunks, file_facts: [] });
    const net = estimateTokens(long(500)) - estimateTokens(JSON.stringify(answer));
    expect(Math.abs(answer.tokens_saved - net)).toBeLessThanOrEqual(2);
    expect(answer).not.toHaveProperty("content");
  });

  it("is known by its content when only its time is another", async () => {
    const agent = openAgent();
    agent.write(long(50), "1");
    await agent.read();
    agent.write(long(50), "2");

    expect(await agent.read()).toMatchObject({ status: "unchanged_content" });
    expect(await agent.read()).toMatchObject({ status: "unchanged" });
  });

  it("is seen to have changed with its time, its length and everything but its content alike", async () => {
    const agent = openAgent();
    agent.write(long(500), "7");
    await agent.read();
    agent.write(long(500).replace("line 250\n", "lime 250\n"), "7");

    const answer = await agent.read();
    expect(answer).toMatchObject({ status: "modified", summary: { changed: 1, removed: 0 } });
    expect(answer.changed_chunks[0]).toMatchObject({
      status: "modified",
      content: expect.stringContaining("lime 250"),
    });
  });

  it("can be rebuilt from what was given before and what has changed, after any edit", async () => {
    const random = seeded(3);
    for (let round = 0; round < 300; round++) {
      const agent = openAgent();
      let before = randomText(random, 400);
      agent.write(before);
      await agent.read();
      for (let edits = 0; edits < 3; edits++) {
        const after = randomEdit(random, before);
        agent.write(after);
        const answer = await agent.read();
        if (after === before) {
          expect(answer.status).toBe("unchanged_content");
        } else {
          expect(answer.status).toBe("modified");
          expect(answer.changed_chunks.length + answer.removed_chunks.length).toBeGreaterThan(0);
          expect(rebuilt(before, answer)).toBe(after);
          expect(answer.summary.tokens_saved).toBeGreaterThanOrEqual(0);
          expect(answer.summary.tokens_returned).toBeLessThanOrEqual(estimateTokens(JSON.stringify(answer)) + 2);
        }
        before = after;
      }
    }
  });

  it("comes whole again when what has changed would be dearer", async () => {
    const agent = openAgent();
    agent.write(long(60));
    await agent.read();
    agent.write(long(60, "other"));

    expect(await agent.read()).toMatchObject({
      status: "modified",
      full: true,
      content: long(60, "other"),
      summary: { tokens_saved: 0 },
    });
  });

  it("comes whole when that is asked for, and counts as given then", async () => {
    const agent = openAgent();
    agent.write(long(60));
    await agent.read();
    expect(await agent.read({ force: true })).toMatchObject({ status: "forced_full", content: long(60) });
    expect(await agent.read()).toMatchObject({ status: "unchanged" });
  });

  it.each([
    ["nothing", ""],
    ["one line without an end", "x"],
    ["line ends of Windows and a byte order mark", "\uFEFFa\r\nb\r\n"],
    ["a NUL after its head", `${"x".repeat(9000)}\0y`],
  ])("may hold %s", async (_, text) => {
    const agent = openAgent();
    agent.write(text);
    expect(await agent.read()).toMatchObject({ status: "first_read", content: text });
    expect(await agent.read()).toMatchObject({ status: "unchanged" });
  });

  it.each([
    ["is binary", Uint8Array.of(0x7f, 0x45, 0, 1)],
    ["is not UTF-8", Uint8Array.of(0x61, 0xff, 0x62)],
  ])("is refused where it %s", async (why, bytes) => {
    const agent = openAgent();
    agent.write(bytes);
    await expect(agent.read()).rejects.toMatchObject({ code: "INVALID_INPUT", message: `path: \`${PATH}\` ${why}` });
  });
});

describe("a session", () => {
  it("knows nothing of what another one was given, here or on another machine", async () => {
    const snapshots = snapshotsInMemory();
    for (const [session, machine] of [
      ["s1", "m1"],
      ["s2", "m1"],
      ["s1", "m2"],
    ]) {
      const agent = openAgent(snapshots, session, machine);
      agent.write(long(60));
      expect(await agent.read()).toMatchObject({ status: "first_read" });
    }
  });

  it("begins anew when the agent's context has ended", async () => {
    const agent = openAgent();
    agent.write(long(60));
    await agent.read();
    agent.endContext();
    expect(await agent.read()).toMatchObject({ status: "first_read", content: long(60) });
    expect(await agent.read()).toMatchObject({ status: "unchanged" });
  });

  it("gives the whole file while nobody can say what was given", async () => {
    const agent = openAgent();
    agent.write(long(60));
    await agent.read();
    agent.snapshots.fails = true;
    expect(await agent.read()).toMatchObject({ status: "first_read", content: long(60), cache: "unavailable" });
  });

  it("trusts no older snapshot after one that could not be kept", async () => {
    const agent = openAgent();
    agent.write(long(60));
    await agent.read();
    agent.snapshots.fails = true;
    agent.write(long(60, "other"));
    await agent.read();
    agent.snapshots.fails = false;
    agent.write(long(60));
    // The agent last received the other text, so the stored snapshot of the first one does not count.
    expect(await agent.read()).toMatchObject({ status: "first_read", content: long(60) });
    expect(await agent.read()).toMatchObject({ status: "unchanged" });
  });

  it("does not count an answer that was cancelled", async () => {
    const agent = openAgent();
    agent.write(long(60));
    const cancel = new AbortController();
    await agent.read({}, aCall({ signal: cancel.signal }));
    cancel.abort();
    expect(await agent.read()).toMatchObject({ status: "first_read" });
  });

  it("takes a snapshot that does not parse, or covers less than a file, for none", async () => {
    const agent = openAgent();
    agent.write(long(60));
    await agent.read();
    for (const chunks of ["{", "[]x", '[{"id":"a","kind":"b","start_line":2,"end_line":60,"hash":"c"}]']) {
      for (const [key, snapshot] of agent.snapshots.kept) agent.snapshots.kept.set(key, { ...snapshot, chunks });
      expect(await agent.read(), chunks).toMatchObject({ status: "first_read", cache: "unavailable" });
    }
  });

  it("keeps hashes and line numbers, and no word of the file", async () => {
    const agent = openAgent();
    agent.write(long(300, "confidential"));
    await agent.read();
    const [snapshot] = agent.snapshots.kept.values();
    expect(JSON.stringify(snapshot)).not.toContain("confidential");
    expect(snapshot).toMatchObject({
      contentHash: createHash("sha256").update(long(300, "confidential")).digest("hex"),
    });
  });
});
