import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChestError } from "@chest/contracts";
import { noteMaintenance } from "@chest/runtime/maintenance-note";
import { afterEach, beforeEach, expect, it } from "vitest";
import { eventOf } from "../testing/event-context.ts";
import { sessionStart } from "./session-start.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "chest-hook-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

async function begin(session: string, storePath?: string): Promise<string> {
  const place = { ask: async () => ({ context: "<session_knowledge>\n</session_knowledge>", ids: [] }) };
  const { eventContext, said } = eventOf({
    dataDir,
    session,
    place,
    input: { source: "startup" },
    ...(storePath ? { storePath } : {}),
  });
  await sessionStart(eventContext);
  return said.join("\n");
}

it("tells one session of what maintenance did to the store on this PC, and how it is undone", async () => {
  const storePath = join(dataDir, "chest.db");
  noteMaintenance(storePath, 7, { expiry: 3 });
  noteMaintenance(storePath, 9, { expiry: 1, forgetting: 2 });
  const told = await begin("a", storePath);
  expect(told).toContain("<session_knowledge>");
  expect(told).toContain(
    "Maintenance archived 6 memories since the last session (expiry 4, forgetting 2); `chest-index unarchive --run 7`, `chest-index unarchive --run 9` undoes it.",
  );
  expect(await begin("b", storePath)).not.toContain("Maintenance");
  expect(existsSync(`${storePath}.maintained`)).toBe(false);
});

it("says in one line that the backend refuses the token, and fails as before", async () => {
  const refused = new ChestError("UNAUTHORIZED", "refused");
  const place = { ask: async () => Promise.reject(refused) };
  const { eventContext, said } = eventOf({ dataDir, session: "a", place, input: { source: "startup" } });
  await expect(sessionStart(eventContext)).rejects.toBe(refused);
  expect(said).toEqual([
    expect.stringMatching(/^<chest_notice>\nThe backend refuses the token of this machine.*\n<\/chest_notice>$/),
  ]);
});
