import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { AgentMachine } from "../support/clients/hook.ts";
import { CHEST_INDEX, cleanEnv, NODE_24 } from "../support/process.ts";

let backend: Backend;
const machine = new AgentMachine();
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  machine.remove();
  await backend?.stop();
});

it("keeps conditions and names in an import into a backend: each is shown when its condition holds, and only then", async () => {
  const folder = join(machine.root, "data/user_123");
  mkdirSync(folder, { recursive: true });
  const memories = [
    { name: "birthday", prompt: "The birthday is on the seventeenth of July.", trigger: "match_keys(['birthday'])" },
    { name: "harbour", prompt: "The harbour closes at nine.", trigger: "match_keys(['harbour', 'port'])" },
    { name: "always", prompt: "This was said at every turn.", trigger: "true" },
  ];
  writeFileSync(join(folder, "long-term-memory.json"), JSON.stringify(memories));
  machine.env = { CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN: backend.token };
  const env = cleanEnv({ HOME: machine.root, CHEST_DATA_DIR: machine.dataDir, ...machine.env });
  const words = [CHEST_INDEX, "import", "--from", "memory-mcp", join(machine.root, "data"), "--json"];
  const { stdout, stderr } = spawnSync(NODE_24, words, { cwd: machine.cwd, env, encoding: "utf8" });
  expect(JSON.parse(stdout), stderr).toMatchObject({ memories: { inserted: 3 }, left: [{ what: "trigger" }] });

  const shown = async (session_id: string, prompt: string) =>
    (await machine.hook("user-prompt", { session_id, prompt })).context ?? "";
  expect(await shown("a", "what shall we give her for the birthday?")).toContain("Meant to be shown now:");
  const other = await shown("b", "refactor the rendering of the invoice, please");
  expect(other).not.toContain("Meant to be shown now:");
  const answer = await fetch(`${backend.url}/api/tools/chest_remember`, {
    method: "POST",
    headers: { authorization: `Bearer ${backend.token}`, "content-type": "application/json" },
    body: JSON.stringify({
      content: "The harbour closes at ten.",
      layer: "learning",
      name: "harbour",
      visibility: "team",
    }),
  });
  expect(await answer.json()).toMatchObject({ result: { action: "updated" } });
});
