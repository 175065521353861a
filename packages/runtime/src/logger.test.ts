import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { expect, it } from "vitest";
import { openLogger } from "./logger.ts";

function written(log: (logger: ReturnType<typeof openLogger>) => void, level = "info") {
  const lines: string[] = [];
  log(openLogger({ name: "chest-server", level, to: { write: (line: string) => lines.push(line) } }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

it("writes one JSON line an event, with its fields and a constant message", () => {
  const [line] = written((log) => log.info({ tool: "chest_recall", ms: 1.5 }, "tool call"));

  expect(line).toMatchObject({ level: 30, name: "chest-server", tool: "chest_recall", ms: 1.5, msg: "tool call" });
});

it("removes what is named like a credential", () => {
  const lines = written((log) => {
    log.info({ token: "secret-1", authorization: "Bearer secret-2", headers: { authorization: "secret-3" } }, "oops");
  });

  expect(JSON.stringify(lines)).not.toContain("secret");
});

it("stays silent below its level", () => {
  expect(written((log) => log.info("listening"), "warn")).toEqual([]);
});

it.each(["process.exit(3)", "throw new Error('boom')", ""])(
  "has written its last line when the process ends: %s",
  (end) => {
    const logger = JSON.stringify(new URL("./logger.ts", import.meta.url).href);
    const program = `const { openLogger } = await import(${logger});
    openLogger({ name: "chest-server", level: "info", to: 1 }).info("last words");
    ${end}`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });

    expect(stdout).toContain("last words");
  },
);

const OFTEN = `const { openLogger } = await import(${JSON.stringify(new URL("./logger.ts", import.meta.url).href)});
  const log = openLogger({ name: "chest-server", level: "info", to: 1 });
  log.info("first words");
  process.stdin.on("data", () => log.info("more words"));
  process.stdin.on("end", () => {
    log.info("last words");
    process.exit(3);
  }).resume();`;

it.each([0, 300])("ends as it is asked to where nobody reads its log any longer, noticed %i ms before", async (ms) => {
  const program = spawn(process.execPath, ["--input-type=module", "-e", OFTEN], { timeout: 10_000 });
  await once(program.stdout, "data");
  program.stdout.destroy();
  program.stdin.write("on");
  await new Promise((resolve) => setTimeout(resolve, ms));
  program.stdin.end();

  expect(await once(program, "exit")).toEqual([3, null]);
});

it.skipIf(!existsSync("/dev/full"))("goes on where there is no room for its log", async () => {
  const full = openSync("/dev/full", "w");
  const program = spawn(process.execPath, ["--input-type=module", "-e", OFTEN], {
    timeout: 10_000,
    stdio: ["pipe", full, "pipe"],
  });
  closeSync(full);
  for (let i = 0; i < 3; i++) {
    program.stdin?.write("on");
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  program.stdin?.end();

  expect(await once(program, "exit")).toEqual([3, null]);
});
