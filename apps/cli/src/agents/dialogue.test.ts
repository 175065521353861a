import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AGENT_CLIENTS } from "./clients.ts";
import { offerOf } from "./dialogue.ts";

const [client] = AGENT_CLIENTS;
const offered = (...files: readonly string[]) =>
  client &&
  offerOf(
    client,
    "/data",
    files.map((file) => ({ step: "hooks", outcome: "added", path: join(homedir(), file) })),
  );

it("offers an agent with the files that change, and with a folder where they are many", () => {
  expect(offered(".a/one.json", ".a/two.json")?.note).toBe(`${join("~", ".a/one.json")}, ${join("~", ".a/two.json")}`);
  expect(offered("b.json", ".a/one", ".a/two", ".a/three")?.note).toBe(`${join("~", "b.json")}, ${join("~", ".a/")}`);
  expect(offered()).toBe(undefined);
});
