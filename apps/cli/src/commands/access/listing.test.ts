import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { captured } from "../../testing/captured.ts";

let dir: string;
let path: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-listing-"));
  path = join(dir, "chest.db");
  await (await openSqliteEngine({ path })).close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const type = (words: string) => captured(words, { CHEST_DATA_DIR: dir });

/** Name with characters that older releases accepted and this one refuses. */
const FORGED = "acme\n9  root  admin  active\u0007\u001b[2J\u202e";
const HARMLESS = "acme 9  root  admin  active[2J";

it.each([
  ["project list", "UPDATE projects SET key = ?", `${HARMLESS}  open`],
  ["token list", "UPDATE tokens SET label = ?", `  read  ${HARMLESS}  until`],
  ["member list", "UPDATE members SET name = ? WHERE name = 'alice'", `  ${HARMLESS}  member  active`],
  ["audit", "UPDATE audit_log SET subject = ?", HARMLESS],
])("shows a row as one line, whatever a name in it would do to a terminal: %s", async (command, spoil, shown) => {
  await type("token create --member alice --scopes read --label laptop");
  await type("remember fact --entity acme --project acme");
  const before = (await type(command)).stdout;
  const db = new DatabaseSync(path);
  db.prepare(spoil).run(FORGED);
  db.close();

  const { code, stdout } = await type(command);

  expect(code).toBe(0);
  expect(stdout).toContain(shown);
  expect(stdout.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
  expect(stdout.split("\n")).toHaveLength(before.split("\n").length);
});
