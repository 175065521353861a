import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { twoEnginesContract } from "@chest/testing";
import { startPeer } from "@chest/testing/peer";
import { afterAll } from "vitest";

const PROGRAM = fileURLToPath(new URL("../testing/peer-program.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "chest-two-engines-"));
let count = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

twoEnginesContract("SQLite", () => {
  count += 1;
  const path = join(folder, `${count}.db`);
  return Promise.all([startPeer(PROGRAM, [path]), startPeer(PROGRAM, [path])]);
});
