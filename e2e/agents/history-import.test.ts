import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transcriptOf } from "@chest/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { runCli } from "../support/clients/cli.ts";
import { cleanEnv } from "../support/process.ts";

let dir: string;
let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => backend.stop());
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "chest-history-import-"));
  return () => rm(dir, { recursive: true, force: true });
});

async function run(words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const remote = { CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN: backend.token };
  const place = { HOME: dir, CHEST_DATA_DIR: join(dir, "data"), CLAUDE_CONFIG_DIR: join(dir, "claude") };
  const { exitCode, stdout, stderr } = await runCli(words, cleanEnv({ ...place, ...remote, ...env }));
  return { exitCode, stderr, document: stdout.startsWith("{") ? JSON.parse(stdout) : stdout };
}

let sessions = 0;
const today = new Date().toISOString().slice(0, 10);

/** Writes the transcript of a session in a checkout of a new project. */
async function aTranscript() {
  sessions += 1;
  const checkout = join(dir, `checkouts/part-${sessions}`);
  await mkdir(join(checkout, ".git"), { recursive: true });
  await writeFile(
    join(checkout, ".git/config"),
    `[remote "origin"]\n\turl = https://git.example/acme/part-${sessions}\n`,
  );
  const folder = join(dir, "claude/projects/-checkouts");
  await mkdir(folder, { recursive: true });
  const { user, says, edits, runs, result } = transcriptOf(`session-${sessions}`, checkout);
  const lines = [
    user(`Make the part number ${sessions} of the gateway wait for its neighbours, please.`),
    says("It asks them before they listen."),
    runs("npm test", "one"),
    result("one", "Error: connect ECONNREFUSED 127.0.0.1:7000"),
    edits(join(checkout, "src/gateway.ts"), "const secret = 1"),
  ].map((line) => `${line.replaceAll("2026-11-21T", `${today}T`)}\n`);
  return { path: join(folder, `session-${sessions}.jsonl`), lines, project: `git.example/acme/part-${sessions}` };
}

describe("an import of history to a backend", () => {
  it("sends what is new, into the project of each session's git remote, and a repeat sends nothing new", async () => {
    const { path, lines, project } = await aTranscript();
    await writeFile(path, lines.slice(0, 3).join(""));
    const first = await run(["import", "--all", "--json"]);
    expect(first).toMatchObject({ exitCode: 0, document: { projects: [project], lines: { read: 3 }, edits: 0 } });
    await appendFile(path, lines.slice(3).join(""));
    expect(await run(["import", "--all", "--json"])).toMatchObject({
      exitCode: 0,
      document: { lines: { read: 2 }, edits: 1, candidates: { kept: { file_edit: 1 } } },
    });
    expect(await run(["import", "--all", "--json"])).toMatchObject({
      exitCode: 0,
      document: { lines: { read: 0 }, memories: { inserted: 0 }, edits: 0, errors: [] },
    });
    const found = await run(["recall", "gateway", "--journal", "--project", project, "--json"]);
    expect(JSON.stringify(found.document)).toContain("wait for its neighbours");
  });

  it("sends a rewritten transcript again", async () => {
    const { path, lines } = await aTranscript();
    await writeFile(path, lines.join(""));
    await run(["import", "--all", "--json"]);
    await writeFile(path, ["{}\n", ...lines, "{}\n"].join(""));
    expect(await run(["import", "--all", "--json"])).toMatchObject({
      exitCode: 0,
      document: { lines: { read: lines.length + 2 }, memories: { inserted: 0 }, edits: 0 },
    });
  });

  it("sends the notes beside the transcripts, without their secrets", async () => {
    const { path, lines, project } = await aTranscript();
    await writeFile(path, lines.join(""));
    const folder = join(dir, "claude/projects/-checkouts/memory");
    await mkdir(folder);
    const secret = ["ghp", "0123456789abcdefghij0123456789abcdef"].join("_");
    await writeFile(join(folder, "hosts.md"), `---\ntype: project\n---\nThe pelican host takes ${secret} for a token.`);
    expect(await run(["import", "--all", "--json"])).toMatchObject({ exitCode: 0, document: { memory_files: 1 } });
    expect(await run(["import", "--all", "--json"])).toMatchObject({
      document: { memories: { inserted: 0, unchanged: 1 } },
    });
    const found = JSON.stringify((await run(["recall", "pelican", "--project", project, "--json"])).document);
    expect(found).toContain("The pelican host takes");
    expect(found).not.toContain(secret);
    await rm(join(folder, "hosts.md"));
    expect(await run(["import", "--all", "--json"])).toMatchObject({ document: { memories: { archived: 1 } } });
  });

  it("says what it would import, and sends nothing", async () => {
    const { path, lines, project } = await aTranscript();
    await writeFile(path, lines.join(""));
    await mkdir(join(dir, "claude/projects/-checkouts/memory"));
    await writeFile(join(dir, "claude/projects/-checkouts/memory/hosts.md"), "The pelican host is the seventh.");
    const dry = ["import", "--all", "--dry-run", "--json"];
    const told = await run(dry);
    expect(told).toMatchObject({ exitCode: 0, document: { edits: 1, memory_files: 1 } });
    const { document } = await run(["list", "--project", project, "--json"]);
    expect(JSON.stringify(document)).not.toContain("neighbours");

    const { memories } = (await run(["import", "--all", "--json"])).document as { memories: object };
    expect(memories).toEqual((told.document as { memories: object }).memories);
    expect(await run(dry)).toMatchObject({ document: { memories: { inserted: 0, unchanged: 1 }, edits: 0 } });
  });

  it("stops where there is no backend, or no right to write there", async () => {
    const { path, lines } = await aTranscript();
    await writeFile(path, lines.join(""));
    const away = await run(["import", "--all"], {
      CHEST_REMOTE_URL: "http://127.0.0.1:9",
      CHEST_REMOTE_TIMEOUT_MS: "1000",
    });
    expect(away).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("hint: ") });
    expect(await run(["import", "--all"], { CHEST_API_TOKEN: "x".repeat(40) })).toMatchObject({ exitCode: 2 });
  });
});
