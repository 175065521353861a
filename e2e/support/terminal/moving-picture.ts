import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanEnv, ROOT } from "../process.ts";
import { drawTerminal, type Scene } from "./draw-terminal.ts";
import { openTerminal, startBackend } from "./terminal.ts";

// Makes the animated picture of README from a real run in an empty home: `npm run moving-picture`.
const FILE = join(ROOT, "docs/images/first-minutes.svg");
const PORT = process.env.CHEST_PORT ?? "8765";

const home = mkdtempSync(join(tmpdir(), "chest-picture-"));
const PATH = [join(home, ".local/bin"), process.env.PATH].join(delimiter);
const env = cleanEnv({ HOME: home, PATH, CHEST_PORT: PORT, CLAUDE_CONFIG_DIR: undefined });
// Agents that are here, and a session of last week.
for (const folder of [".claude/projects/acme", ".codex", ".cursor"]) mkdirSync(join(home, folder), { recursive: true });
const message = { role: "user", content: "Never deploy before the smoke test has passed." };
const line = { type: "user", uuid: "1", sessionId: "s1", cwd: home, timestamp: "2026-11-20T10:00:00Z", message };
writeFileSync(join(home, ".claude/projects/acme/s1.jsonl"), `${JSON.stringify(line)}\n`);

const { run, linesOf } = openTerminal({
  env,
  cwd: ROOT,
  hides: [
    [home, "~"],
    [ROOT, "~/chest"],
  ],
});
const backend = await startBackend(env, ROOT);
try {
  const welcome = linesOf(backend.printed);
  const begun = welcome.findIndex((text) => text.startsWith("Chest is running"));
  const scenes: Scene[] = [
    { typed: "npm start", lines: [...welcome.slice(begun, begun + 3), "   …"] },
    { typed: "npm run -s setup", lines: await run("npm run -s setup", "y") },
  ];
  for (const words of [
    'npm run -s chest-index -- remember "We deploy on Tuesdays, after the smoke test."',
    'npm run -s chest-index -- recall "when do we deploy?"',
  ])
    scenes.push({ typed: words, lines: await run(words) });
  writeFileSync(FILE, drawTerminal(scenes));
} finally {
  await backend.stop();
  // npm is gone before the backend has closed its store.
  await sleep(3000);
  rmSync(home, { recursive: true, force: true, maxRetries: 20 });
}
