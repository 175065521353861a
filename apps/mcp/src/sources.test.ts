import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endAt, throughStages } from "@chest/core/executor";
import { localExecutor } from "@chest/core/pipeline";
import type { Engine } from "@chest/core/ports";
import { TOOLS } from "@chest/core/tools";
import { openSourceFiles, openWorkspace, withSources } from "@chest/files";
import { aCall, aCaller, testEngine, testPorts } from "@chest/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let dir: string;
let repo: string;
const ports = testPorts();
let engine: Engine;

beforeEach(async () => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "chest-sources-")));
  repo = join(dir, "repo");
  engine = await testEngine(ports);
  mkdirSync(join(repo, "src"), { recursive: true });
  execFileSync("git", ["init", "-q", repo]);
  put("src/a.ts", "one\ntwo\nthree\n");
});
afterEach(() => rmSync(dir, { recursive: true }));

const put = (path: string, text: string) => writeFileSync(join(repo, path), text);
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** An agent with some folders open, in one of them. */
function agentIn(cwd = repo, roots: readonly string[] = [cwd]) {
  const files = openSourceFiles(
    openWorkspace(async () => roots, cwd),
    cwd,
  );
  const executor = throughStages(TOOLS, endAt(localExecutor(TOOLS, engine, ports)), withSources(files));
  const call = aCall({ caller: aCaller({ project: "host/org/pear" }) });
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at as agents see them.
  const ask = (tool: string, input: object): Promise<any> => executor.execute(tool, input, call);
  return {
    ask,
    recall: async (id: number) => (await ask("chest_recall", { ids: [id] })).memories[0],
    remember: async (source: string | string[], content = "the parser reads three lines") =>
      (await ask("chest_remember", { content, layer: "learning", source })).memory_id as number,
    sources: async (id: number) => (await engine.as(call).listings.parts(id))?.sources,
  };
}

it("hashes a source beside the agent, and keeps its path in the repository wherever the agent stands", async () => {
  execFileSync("git", [
    "-C",
    repo,
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@b",
    "commit",
    "-qm",
    "first",
    "--allow-empty",
  ]);
  const commit = execFileSync("git", ["-C", repo, "rev-parse", "HEAD"]).toString().trim();
  const agent = agentIn(join(repo, "src"), [repo]);
  for (const given of ["a.ts:2-3", join(repo, "src/a.ts:2-3")]) {
    const id = await agent.remember(given, `as ${given}`);
    expect(await agent.sources(id)).toMatchObject([
      { path: "src/a.ts", line: 2, endLine: 3, hash: sha256("one\ntwo\nthree\n"), gitCommit: commit },
    ]);
  }
});

it("a changed file is flagged on recall and by a check, accepted, then gone; another tree has its own say", async () => {
  const agent = agentIn();
  const id = await agent.remember("src/a.ts:1");
  execFileSync("cp", ["-r", repo, join(dir, "clone")]);
  const colleague = agentIn(join(dir, "clone"));
  expect(await agent.recall(id)).not.toHaveProperty("stale");

  put("src/a.ts", "other\n");
  expect(await agent.recall(id)).toMatchObject({ stale: ["src/a.ts"] });
  expect(await colleague.recall(id)).not.toHaveProperty("stale");
  const checked = await agent.ask("chest_verify", { ids: [id] });
  expect(checked).toMatchObject({ checked: 1, results: [{ memory_id: id, path: "src/a.ts", status: "stale" }] });
  expect(checked).not.toHaveProperty("to_check");
  expect((await agent.ask("chest_inspect", { view: "stale" })).items).toMatchObject([{ id }]);
  expect((await colleague.ask("chest_verify", { path: "src" })).counts).toMatchObject({ ok: 1, stale: 0 });

  expect(await agent.ask("chest_verify", { all: true, accept: true })).toMatchObject({
    accepted: 1,
    counts: { ok: 1 },
  });
  expect(await agent.recall(id)).not.toHaveProperty("stale");
  rmSync(join(repo, "src/a.ts"));
  expect(await agent.recall(id)).toMatchObject({ stale: ["src/a.ts"] });
  const gone = await agent.ask("chest_verify", { all: true, accept: true });
  expect(gone).toMatchObject({ accepted: 0, results: [{ status: "missing" }] });
});

describe("what cannot be a source", () => {
  it.each([
    ["outside", "/etc/hostname", "OUTSIDE_ROOTS"],
    ["out by dots", "../other.ts", "OUTSIDE_ROOTS"],
    ["nowhere", "src/none.ts", "NOT_FOUND"],
    ["a folder", "src", "INVALID_INPUT"],
    ["a binary", "image.png", "INVALID_INPUT"],
    ["too large", "large.txt", "PAYLOAD_TOO_LARGE"],
    ["a link in a circle", "ring", "OUTSIDE_ROOTS"],
    ["a line after the last", "src/a.ts:4", "INVALID_INPUT"],
  ])("%s is refused by name, with the mend, and nothing is stored", async (_, source, code) => {
    writeFileSync(join(repo, "image.png"), Uint8Array.of(137, 80, 0, 1));
    put("large.txt", "x");
    truncateSync(join(repo, "large.txt"), 100 * 1024 * 1024);
    symlinkSync("ring", join(repo, "ring"));
    const agent = agentIn();
    const refusal = await agent.remember(["src/a.ts", source]).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code, hint: expect.stringMatching(/./), details: { field: "source.1" } });
    expect((refusal as Error).message).toMatch(/^source\.1: /);
    expect((await agent.ask("chest_inspect", { view: "recent" })).total).toBe(0);
  });

  it("a file that became one since is unknown, and its check says why", async () => {
    const agent = agentIn();
    const id = await agent.remember("src/a.ts");
    rmSync(join(repo, "src/a.ts"));
    mkdirSync(join(repo, "src/a.ts"));
    expect(await agent.ask("chest_verify", { ids: [id] })).toMatchObject({
      checked: 0,
      results: [{ status: "unknown", message: expect.stringContaining("not a regular file") }],
    });
  });
});
