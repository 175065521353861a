import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localCaller } from "@chest/core/access";
import { lookAtStore, openSqliteEngine } from "@chest/store-sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { captured } from "./testing/captured.ts";

const PAGE = 4096;
const TEXT = "the eel swims upstream ".repeat(100);

let dir: string;
let path: string;
let damaged: Buffer;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-damaged-"));
  path = join(dir, "chest.db");
  const engine = await openSqliteEngine({ path });
  const call = { caller: localCaller(undefined), requestId: "r", signal: new AbortController().signal };
  await engine.as(call).write(async (tx) => {
    const { entity } = await tx.entities.findOrAdd({
      name: "acme",
      kind: "project",
      key: undefined,
      visibility: "team",
      projectKey: undefined,
    });
    const rest = { layer: "learning", tags: [], importance: 0.5, visibility: "team", projectKey: undefined } as const;
    for (let at = 0; at < 20; at++) {
      const text = { content: `${at} ${TEXT}`, contentHash: `${at}`, contentSha1: "s", words: "eel", grams: "" };
      await tx.memories.add({ entity, text, ...rest, expiresAt: undefined, hasOwnExpiry: false });
    }
  });
  await engine.close();
  const bytes = readFileSync(path);
  const page = Math.floor(bytes.indexOf(`7 ${TEXT.slice(0, 20)}`) / PAGE) * PAGE;
  writeFileSync(path, bytes.fill(0xa5, page, page + PAGE));
  damaged = readFileSync(path);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("a store that does not pass its integrity check", () => {
  it("is reported as damaged", () => {
    expect(lookAtStore(path)).toMatchObject({ integrity: expect.not.stringMatching(/^ok$/) });
  });

  it.each([
    "remember told --entity acme",
    "up",
    "unarchive 1",
    "purge --id 1 --yes",
    "scan --fix redact --yes",
    "token create --member alice",
    "member add bob",
    "fts rebuild",
    "up --check",
    "recall eel",
    "backup",
    "status",
  ])(
    "is neither written nor removed by `chest-index %s`, which says that it is damaged and how to go on",
    async (words) => {
      const before = readdirSync(dir).filter((name) => !/\.(lock|maintenance)$|-wal$|-shm$/.test(name));
      const { code, stderr } = await captured(words, { CHEST_DATA_DIR: dir });
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(/damaged[\s\S]*hint: [\s\S]*chest-index (restore|backup --list)/),
      });
      expect(readFileSync(path).equals(damaged)).toBe(true);
      expect(readdirSync(dir)).toEqual(expect.arrayContaining(before));
    },
  );
});
