import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { HEAP_FLAGS } from "./heap.mjs";
import { ROOT } from "./paths.mjs";

const flags = HEAP_FLAGS.join(" ");

it.each([
  ["the image", "deploy/docker/Dockerfile", `NODE_OPTIONS="${flags}"\n`],
  ["the systemd unit", "deploy/systemd/chest.service", `node/node ${flags} apps/server/dist/chest-server.js\n`],
  [
    "the launchd agent",
    "deploy/launchd/dev.chest.memory.plist",
    `<string>CHEST/node_modules/.chest/node/node</string>\n      <string>${flags}</string>\n      <string>CHEST/apps/server/dist/quickstart.js</string>`,
  ],
  [
    "the scheduled task",
    "deploy/task-scheduler/chest-memory.xml",
    `<Arguments>${flags} "CHEST\\apps\\server\\dist\\quickstart.js"</Arguments>`,
  ],
])("%s tells Node the same of its heap", async (_, file, line) => {
  expect(await readFile(join(ROOT, file), "utf8")).toContain(line);
});
