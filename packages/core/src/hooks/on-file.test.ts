import { aCall, TINY_IDENTITY, testEngine, testPorts, tinyEmbedder } from "@chest/testing";
import { expect, it } from "vitest";
import { canonical } from "../memory/canonical.ts";
import { fileHookInput } from "./inputs.ts";
import { onFile } from "./on-file.ts";

const VECTOR = Float32Array.of(1, 0, 0, 0);

/** A house whose one memory every question finds by its vector. */
async function engineFixture() {
  const embedder = Object.assign(tinyEmbedder(), { vector: VECTOR });
  const ports = testPorts({ embedder });
  const call = aCall();
  const store = (await testEngine({ clock: ports.clock, active: TINY_IDENTITY })).as(call);
  const id = await store.write(async (tx) => {
    const { entity } = await tx.entities.findOrAdd({
      name: "acme",
      kind: "project",
      key: undefined,
      visibility: "team",
      projectKey: undefined,
    });
    const memory = await tx.memories.add({
      entity,
      layer: "realize",
      text: canonical("Everything in src/heron.ts rounds down on purpose."),
      tags: [],
      importance: 0.5,
      visibility: "team",
      projectKey: undefined,
      expiresAt: undefined,
      hasOwnExpiry: false,
    });
    await tx.vectors.put(memory, TINY_IDENTITY, VECTOR);
    return memory.id;
  });
  const on = (path: string) => onFile(fileHookInput.parse({ path }), { ...ports, store, signal: call.signal });
  return { id, on };
}

it("shows the lessons on a file, however its path is written", async () => {
  const { id, on } = await engineFixture();
  for (const path of ["src/heron.ts", "./src//heron.ts", "/src/Heron.ts", "src\\heron.ts"])
    expect(await on(path)).toMatchObject({ ok: true, shown: [id] });
});

it.each([["src/"], ["/"], ["a\\"], ["./"], ["//"], [" / "], ["src/heron.ts/"]])(
  "has nothing to say of %j, which is no file",
  async (path) => {
    const { on } = await engineFixture();
    expect(await on(path)).toEqual({ ok: true });
  },
);
