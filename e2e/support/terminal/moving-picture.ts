import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { cleanEnv, ROOT } from "../process.ts";
import { COLUMNS, drawTerminal, type Scene } from "./draw-terminal.ts";

// Makes the animated picture of README from a real run in an empty home: `npm run moving-picture`.
const FILE = join(ROOT, "docs/images/first-minutes.svg");
const PORT = process.env.CHEST_PORT ?? "8765";

const home = mkdtempSync(join(tmpdir(), "chest-picture-"));
const env = cleanEnv({ HOME: home, CHEST_PORT: PORT, CLAUDE_CONFIG_DIR: undefined });
// The home has agents, and a session of last week.
for (const folder of [".claude/projects/acme", ".codex", ".cursor"]) mkdirSync(join(home, folder), { recursive: true });
const message = { role: "user", content: "Never deploy before the smoke test has passed." };
const line = { type: "user", uuid: "1", sessionId: "s1", cwd: home, timestamp: "2026-11-20T10:00:00Z", message };
writeFileSync(join(home, ".claude/projects/acme/s1.jsonl"), `${JSON.stringify(line)}\n`);

/** Types a command on a terminal, and answers its questions. @returns the lines of the screen. */
async function run(words: string, answer?: string): Promise<string[]> {
  const program = spawn("script", ["-qec", `stty cols ${COLUMNS}; ${words}`, "/dev/null"], { env, cwd: ROOT });
  let screen = "";
  let isAnswered = answer === undefined;
  program.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
    if (isAnswered || !/\[y: [^\]]*\] $/.test(screen)) return;
    isAnswered = true;
    program.stdin.write(`${answer}\r`);
  });
  await once(program, "close");
  return linesOf(screen);
}

const linesOf = (screen: string): string[] =>
  stripVTControlCharacters(screen)
    .replaceAll(home, "~")
    .replaceAll(ROOT, "~/chest")
    .replaceAll(/cht_[\w-]+/g, "…")
    .split(/\r?\n/)
    // A line that was redrawn is shown in its longest form.
    .map((text) =>
      text
        .split("\r")
        .reduce((one, other) => (other.length >= one.length ? other : one))
        .trimEnd(),
    );

const READY = "Ctrl-C stops it.";
const backend = spawn("npm", ["start"], { env, cwd: ROOT, stdio: ["ignore", "pipe", "inherit"], detached: true });
try {
  let printed = "";
  for await (const piece of backend.stdout.setEncoding("utf8")) {
    printed += piece;
    if (printed.includes(READY)) break;
  }
  const welcome = linesOf(printed);
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
  if (backend.pid) process.kill(-backend.pid, "SIGTERM");
  await once(backend, "close");
  // npm ends before the backend has closed its store.
  await sleep(3000);
  rmSync(home, { recursive: true, force: true, maxRetries: 20 });
}
