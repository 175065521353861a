import { aCall, aCaller, memoryEngine, testPorts } from "@chest/testing";
import { describe, expect, it } from "vitest";
import { localExecutor, wrap } from "../executor.ts";
import { TOOLS } from "../tools/index.ts";
import { authorise, scopeOf } from "./authorise.ts";

const FACT = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "a fact" };

describe("a caller", () => {
  const ports = testPorts();
  const executor = wrap(localExecutor(TOOLS, memoryEngine({ clock: ports.clock }), ports), authorise(TOOLS));
  const call = (...scopes: ("read" | "write" | "operate" | "admin")[]) =>
    aCall({ caller: aCaller({ scopes: new Set(scopes) }) });

  it("needs `write` for what writes and `read` for what reads, and neither stands for the other", async () => {
    await expect(executor.execute("chest_remember", FACT, call("write"))).resolves.toMatchObject({ ok: true });
    await expect(executor.execute("chest_recall", { query: "fact" }, call("read"))).resolves.toMatchObject({
      count: 1,
    });
    const refused = { code: "FORBIDDEN", status: 403 };
    await expect(executor.execute("chest_remember", FACT, call("read", "operate", "admin"))).rejects.toMatchObject({
      ...refused,
      details: { scope: "write" },
      message: expect.stringContaining("`write`"),
    });
    await expect(executor.execute("chest_recall", { query: "fact" }, call("write"))).rejects.toMatchObject({
      ...refused,
      details: { scope: "read" },
    });
  });

  it("learns of an unknown tool whatever it may", async () => {
    await expect(executor.execute("chest_nothing", {}, call())).rejects.toMatchObject({ code: "UNKNOWN_TOOL" });
  });

  it("is asked for the right that a tool's effects say", () => {
    const asked = Object.fromEntries(TOOLS.map((tool) => [tool.name, scopeOf(tool)]));
    expect(asked).toMatchObject({ chest_recall: "read", chest_list_entities: "read", chest_remember: "write" });
    for (const { name, effects } of TOOLS) expect(asked[name]).toBe(effects.readOnly ? "read" : "write");
  });
});
