import { pushVectors } from "@chest/core/embedding";
import { DEFAULT_MAINTENANCE, runJournalled } from "@chest/core/lifecycle";
import { bigStore, EVERYWHERE, storeBeside } from "../big-store.ts";
import { IDENTITY, vectorOf } from "./vectors.ts";

/** A project contains a twentieth of the store. */
const PROJECTS = 20;
const AT_ONCE = 500;

/**
 * Makes a store with a vector per memory once, in the row order of a real backend; it takes 4 kB of disk per vector.
 */
export const storeWithVectors = async (rows: number): Promise<string> =>
  storeBeside(await bigStore(rows, PROJECTS), "vectors-2", IDENTITY, async (engine) => {
    const store = engine.as(EVERYWHERE);
    for (let first = 1; first <= rows; first += AT_ONCE) {
      const ids = Array.from({ length: Math.min(AT_ONCE, rows - first + 1) }, (_, at) => first + at);
      const pushes = ids.map((id) => ({ id, vector: vectorOf(id), contentSha1: undefined }));
      const refused = (await pushVectors(store, IDENTITY, pushes)).find(({ error }) => error);
      if (refused) throw refused.error;
      if (first % 50_000 === 1) console.error(`chest: ${first - 1} of ${rows} vectors stored`);
    }
    const { signal } = new AbortController();
    await runJournalled(engine.lifecycle, ["retention"], DEFAULT_MAINTENANCE, { trigger: "operator", signal });
  });
