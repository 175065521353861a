import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIXTURE_ENV, fixtureModels, type Hub, stallAfter, startHub } from "@chest/models/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canMount, type Disk, mountDisk } from "../support/deployment/disk.ts";
import { CHEST_INDEX, cleanEnv, NODE_24, startProgram } from "../support/process.ts";

const FETCH = [CHEST_INDEX, "fetch-model"];
const WEIGHTS = "onnx/model_quantized.onnx";

describe.skipIf(!canMount)("a model that is downloaded to a small disk (needs root to mount one)", () => {
  let disk: Disk;
  let hub: Hub;
  const dataDir = mkdtempSync(join(tmpdir(), "chest-fetch-"));

  beforeAll(async () => {
    disk = mountDisk(1);
    hub = await startHub(await fixtureModels());
  });
  afterAll(async () => {
    await hub.stop();
    disk.unmount();
    rmSync(dataDir, { recursive: true });
  });

  const start = () => {
    const env = { ...FIXTURE_ENV, CHEST_DATA_DIR: dataDir, CHEST_MODELS_DIR: join(disk.path, "models") };
    return startProgram(NODE_24, FETCH, cleanEnv({ ...env, HF_ENDPOINT: hub.url }));
  };

  async function run() {
    const program = start();
    const [code] = await once(program.process, "close");
    return { code, output: program.output() };
  }

  const files = () => readdirSync(join(disk.path, "models/fixture/words"), { recursive: true }).map(String).sort();

  it("says that the disk is full, leaves no partial file, and works once there is room", async () => {
    const filler = join(disk.path, "taken");
    writeFileSync(filler, Buffer.alloc(500_000));
    const { code, output } = await run();
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining("the disk is full: no room for") });
    expect(output).toContain("hint: make room, or put the models elsewhere with CHEST_MODELS_DIR");
    expect(files().filter((name) => name.includes("model_quantized"))).toEqual([]);

    rmSync(filler);
    expect(await run()).toMatchObject({ code: 0 });
    expect(files()).toContain(WEIGHTS);
  });

  it("continues after it was killed from where it was", async () => {
    rmSync(join(disk.path, "models"), { recursive: true });
    hub.next(WEIGHTS, stallAfter(100_000));
    const program = start();
    const part = join(disk.path, "models/fixture/words", `${WEIGHTS}.part`);
    await expect.poll(() => statSync(part, { throwIfNoEntry: false })?.size, { timeout: 20_000 }).toBe(100_000);
    await program.end("SIGKILL");

    expect(await run()).toMatchObject({ code: 0 });
    expect(hub.requests.at(-1)?.range).toBe("bytes=100000-");
    expect(files().filter((name) => name.includes("model_quantized"))).toEqual([WEIGHTS]);
  });
});
