import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CHEST15_IDS, makeChest15 } from "@chest/store-sqlite/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, failToStart, startBackend } from "../support/backend.ts";
import { ask, mcpDoor, restDoor } from "../support/clients/doors.ts";
import { connectStdioClient } from "../support/clients/stdio-client.ts";
import { commandsOf } from "../support/deployment/guide.ts";
import { cleanEnv, NODE_24, ROOT } from "../support/process.ts";
import { findFaults } from "../support/store-file.ts";

const run = promisify(execFile);

describe("the upgrade from 1.5, as its guide says", () => {
  let home: string;
  let backend: Backend;
  const dataDir = () => join(home, ".chest-memory");

  const shell = async (script: string, env: NodeJS.ProcessEnv = {}) => {
    const PATH = `${home}/bin:${process.env.PATH}`;
    const { stdout } = await run("sh", ["-euc", script], { cwd: home, env: cleanEnv({ HOME: home, PATH, ...env }) });
    return stdout;
  };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "chest-upgrade-"));
    await mkdir(join(home, "bin"));
    await mkdir(dataDir());
    const command = join(home, "bin/chest-index");
    await writeFile(command, `#!/bin/sh\nexec "${NODE_24}" "${ROOT}/apps/mcp/dist/chest-index.js" "$@"\n`);
    await chmod(command, 0o755);
    makeChest15(join(dataDir(), "chest.db"), { rows: 300 });
  });
  afterAll(async () => {
    await backend?.stop();
    await rm(home, { recursive: true, force: true });
  });

  it("begins with a refusal that names the exact command, which works", async () => {
    const { exitCode, output } = await failToStart(dataDir());
    expect(exitCode).toBe(1);
    const [, command = "", setting = ""] =
      /`(CHEST_DB_PATH=\S+ chest-index [^`]+)`, then start with (CHEST_DB_PATH=\S+?);/.exec(output) ?? [];
    expect(command, output).toContain("import --from chest15");
    await shell(`${command} || [ $? -eq 1 ]`);
    expect(await shell(`${setting} chest-index status`)).toContain("309 live");
    await rm(setting.replace("CHEST_DB_PATH=", ""));
  });

  it("stops, imports, starts and reconnects", async () => {
    const [aside = "", bring = ""] = commandsOf("upgrade.md", "On one machine");
    const [reconnect = ""] = commandsOf("upgrade.md", "Reconnect");

    await shell(aside);
    const said = await shell(bring);
    // Retention deletes events as old as these memories, and the last test counts the events.
    backend = await startBackend({ dataDir: dataDir(), env: { CHEST_AUTO_MAINTENANCE: "0" } });
    const env = { CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN: backend.token };
    const registered = { mcpServers: { chest: { command: "chest-memory", args: [] } } };
    await writeFile(join(home, ".claude.json"), JSON.stringify(registered));
    // A warning, such as about a missing model, is no failure.
    const checked = await shell(`${reconnect.trim()} || [ $? -eq 1 ]`, env);

    expect(said).toContain("memories: 312 to come in, with their ids; 0 were there; 3 left");
    expect(said).toContain("memories: 312 came in, with their ids; 0 were there; 3 left");
    expect(said).toContain("309 live, 2 archived, 1 superseded");
    expect(checked).toContain("fail=0");
    expect(await readdir(join(dataDir(), "1.5"))).toContain("chest.db");
  });

  it("gives every agent the memories of 1.5, under their old ids", async () => {
    const env = { CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN: backend.token };
    const agent = await connectStdioClient({ env: { ...env, CHEST_DATA_DIR: join(home, "agent") } });
    const { memories } = await ask(mcpDoor(agent.client), "chest_recall", { query: "which host has the gateway" });
    await agent.stop();
    expect(memories).toEqual(expect.arrayContaining([expect.objectContaining({ id: CHEST15_IDS.plain })]));
    const old = await ask(restDoor(backend), "chest_recall", { ids: [CHEST15_IDS.goal, 1299] });
    expect(old.memories).toMatchObject([{ layer: "goal" }, { content: "fact number 299 of a long life with 1.5" }]);
  });

  it("accepts another import while it runs, and moves an archive into another store", async () => {
    const [move = ""] = commandsOf("upgrade.md", "Move between Chest stores");
    const [exported = "", imported = ""] = move.trim().split("\n");
    // After its setup the agent uses the backend; this test is about its store file.
    const file = { CHEST_MODE: "local" };
    await shell(`chest-index import --from chest15 ${dataDir()}/1.5/chest.db --quiet || [ $? -eq 1 ]`, file);

    await shell(exported, file);
    const said = await shell(imported.replace("/path/to/another.db", `${home}/another.db`), file);

    expect(said).toContain("memories: 312 came in, with their ids; 0 were there; 0 left");
    await backend.stop();
    expect([findFaults(join(dataDir(), "chest.db")), findFaults(`${home}/another.db`)]).toEqual([[], []]);
  });
});
