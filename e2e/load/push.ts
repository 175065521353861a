import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { KNOWN_IDENTITIES } from "@chest/core/embedding";
import { seeded } from "../support/random.ts";
import type { Bench } from "./bench.ts";
import { bigStore } from "./big-store.ts";
import { atLeast, type Figure } from "./figures.ts";
import { emptied, startPostFloor } from "./floors/post.ts";
import { Load, type Request } from "./requests.ts";
import { cpuEach, interleaved, median, medianRatio, perSecond, spread, wallEach } from "./rounds.ts";

const ROWS = 2560;
const BATCH = 128;
const AT_ONCE = 1;

/**
 * Measures storing vectors of the default model's size over REST in batches; each batch is safe on the disk before its
 * answer.
 */
export const push: Bench = async ({ rounds, workDir, startServer }) => {
  await mkdir(join(workDir, "data"));
  await copyFile(await bigStore(ROWS), join(workDir, "data", "chest.db"));
  const server = await startServer({ CHEST_SYNC_EMBED: "0", CHEST_AUTO_MAINTENANCE: "0" });
  const post = await startPostFloor();
  const [load, floor] = [new Load(server, AT_ONCE), new Load(post, AT_ONCE)];
  try {
    const requests = batches();
    await load.run(requests, { isPatient: true });
    const samples = await interleaved(rounds, {
      pushed: () => load.run(requests, { isPatient: true }),
      post: () => floor.run(requests.map(emptied)),
    });
    const each = (name: keyof typeof samples) => (round: number) => wallEach(samples[name][round] as never);
    const vectorsPerSecond = BATCH * median(samples.pushed.map(perSecond));
    const figure: Figure = {
      name: `vectors pushed, ${BATCH} at once`,
      unit: "/s",
      value: vectorsPerSecond,
      cpuMs: median(samples.pushed.map(cpuEach)) / BATCH,
      ...spread(samples.pushed),
      floor: BATCH * median(samples.post.map(perSecond)),
      ratio: medianRatio(rounds, each("pushed"), each("post")),
      goal: atLeast(2000, vectorsPerSecond, "2000/s"),
    };
    return [figure];
  } finally {
    await Promise.all([load.close(), floor.close()]);
    await Promise.all([post.stop(), server.stop()]);
  }
};

function batches(): Request[] {
  const [{ model, dimensions }] = KNOWN_IDENTITIES;
  const random = seeded(3);
  const vector = () => Buffer.from(Float32Array.from({ length: dimensions }, () => random() - 0.5).buffer);
  return Array.from({ length: ROWS / BATCH }, (_, batch) => {
    const items = Array.from({ length: BATCH }, (_, at) => ({
      id: batch * BATCH + at + 1,
      embedding_base64: vector().toString("base64"),
      content_sha1: "",
    }));
    return { path: "/memories/embeddings", body: { model, items } };
  });
}
