import { constants, existsSync } from "node:fs";
import { copyFile, rename, rm } from "node:fs/promises";
import { type Call, DEFAULT_UPKEEP, pushVectors, runJournalled, SHARED, UNSTATED_CLIENT } from "@chest/core";
import { bigStore } from "../big-store.ts";
import { openSqliteEngine } from "../libraries.ts";
import { IDENTITY, vectorOf } from "./vectors.ts";

/** A project is a twentieth of the store. */
const PROJECTS = 20;
const AT_ONCE = 500;

/** A store of that many memories with a vector each, in the order a backend keeps it in, made once; 4 kB of disk a vector. */
export async function storeWithVectors(rows: number): Promise<string> {
  const plain = await bigStore(rows, PROJECTS);
  const path = plain.replace(/\.db$/, "-vectors-2.db");
  if (existsSync(path)) return path;
  const draft = `${path}.${process.pid}`;
  await copyFile(plain, draft, constants.COPYFILE_FICLONE);
  // A copy is looked through before it is written to.
  const opened = { path: draft, synchronous: "NORMAL", active: IDENTITY, writePatienceMs: 600_000 } as const;
  const engine = await openSqliteEngine(opened);
  try {
    const store = engine.as(CALL);
    for (let first = 1; first <= rows; first += AT_ONCE) {
      const ids = Array.from({ length: Math.min(AT_ONCE, rows - first + 1) }, (_, at) => first + at);
      const pushes = ids.map((id) => ({ id, vector: vectorOf(id), contentSha1: undefined }));
      const refused = (await pushVectors(store, IDENTITY, pushes)).find(({ error }) => error);
      if (refused) throw refused.error;
      if (first % 50_000 === 1) console.error(`chest: ${first - 1} of ${rows} vectors stored`);
    }
    const { signal } = new AbortController();
    await runJournalled(engine.lifecycle, ["retention"], DEFAULT_UPKEEP, { trigger: "operator", signal });
  } finally {
    await engine.close();
  }
  await rm(`${draft}.lock`, { force: true });
  await rename(draft, path);
  return path;
}

/** Call of a client without a project, which works on all of them. */
const CALL: Call = {
  caller: { member: SHARED, scopes: new Set(["read", "write"]), project: undefined, client: UNSTATED_CLIENT },
  requestId: "bench",
  signal: new AbortController().signal,
};
