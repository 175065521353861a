import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openJournal } from "../session/session-journal.ts";
import { eventOf } from "../testing/event-context.ts";
import { postTool } from "./post-tool.ts";
import { sessionStart } from "./session-start.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "chest-post-tool-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const folder = () => join(dataDir, "outbox", "sessions");
const waiting = () => (existsSync(folder()) ? readdirSync(folder()) : []);

/** Events of one session after a tool was used, and what a place was told meanwhile. */
function aSession(session: string) {
  const transcript = join(dataDir, `${session}.jsonl`);
  let written = 0;
  const told: { readonly project: string | undefined; readonly lines: number }[] = [];
  const after = async (tool: string, toolInput: object, project = "host/acme") => {
    written += 1;
    writeFileSync(transcript, "{}\n".repeat(written));
    const take = async (_: string, lines: readonly string[], fromLine: number) => {
      told.push({ project: opened.at(-1), lines: lines.length });
      return fromLine + lines.length;
    };
    const input = { tool, toolInput: { ...toolInput } };
    const { eventContext, opened } = eventOf({ dataDir, session, input, place: { take }, project, transcript });
    return postTool(eventContext);
  };
  const runs = (command: string, project?: string) => after("Bash", { command }, project);
  return { after, runs, told };
}

describe("what an agent does", () => {
  it("is noted and not told, until it is ten things", async () => {
    const { after, runs, told } = aSession("a");
    const outcomes = [
      await after("Edit", { file_path: "a.ts" }),
      await runs("npm test"),
      await runs("npm run build && git commit -m x"),
      await runs("ls -la"),
      await runs("npm install"),
      await runs("terraform apply"),
    ];
    expect(outcomes).toEqual(["noted", "noted", "noted", "skipped", "skipped", "noted"]);
    expect(told).toEqual([]);
    for (let nth = 0; nth < 5; nth += 1) await runs(`git tag v${nth}`);
    expect(told).toEqual([]);
    expect(await runs("git push")).toBe("noted sent");
    expect(told).toEqual([{ project: "host/acme", lines: 12 }]);
    expect(waiting()).toEqual([]);
  });

  it("is told after five minutes, though it is little", async () => {
    const { runs, told } = aSession("a");
    const minutes = (ago: number) => Date.now() - ago * 60_000;
    openJournal(dataDir, "a").note({ deed: 1, at: minutes(4), project: "host/acme" });
    expect(await runs("npm test")).toBe("noted");
    openJournal(dataDir, "b").note({ deed: 1, at: minutes(6), project: "host/acme" });
    expect(await aSession("b").runs("npm test")).toBe("noted sent");
    expect(told).toEqual([]);
  });

  it("waits for any other session when its own agent is ended", async () => {
    const { runs } = aSession("dead");
    await runs("npm test");
    expect(waiting()).toEqual(["dead.json"]);
    expect(statSync(join(folder(), "dead.json")).mode & 0o777).toBe(0o600);

    const taken: string[] = [];
    const take = async (about: string, lines: readonly string[], fromLine: number) => {
      taken.push(about);
      return fromLine + lines.length;
    };
    const next = eventOf({ dataDir, session: "next", place: { take } });
    await sessionStart(next.eventContext);
    expect(taken).toEqual(["dead"]);
    expect(next.opened).toEqual([undefined, "host/acme"]);
    expect(waiting()).toEqual([]);
  });

  it("is told in the project it was done in, when the agent goes on in another", async () => {
    const { runs, told } = aSession("a");
    await runs("npm test", "host/acme");
    await runs("npm test", "host/acme");
    await runs("npm test", "host/other");
    expect(told).toEqual([{ project: "host/acme", lines: 3 }]);
    expect(openJournal(dataDir, "a").read()).toMatchObject({ deeds: 1, project: "host/other" });
    expect(waiting()).toEqual(["a.json"]);
  });
});
