import { expect, it } from "vitest";
import { readToml, setInToml } from "./toml.ts";

const ENTRY = { command: "/bin/chest-node", args: ["/dist/chest-memory.js"], env: { CHEST_MODE: "local" } };

it.each(["\n", "\r\n"])("keeps the line ends of a configuration, and takes back what it added: %j", (end) => {
  const theirs = `# mine${end}model = "o3"${end}${end}[mcp_servers.docs]${end}command = "npx"${end}`;
  const added = setInToml(theirs, ["mcp_servers", "chest-memory"], ENTRY, "config.toml");
  expect(added.startsWith(theirs)).toBe(true);
  expect(added.split(end).some((line) => /[\r\n]/.test(line))).toBe(false);
  expect(readToml(added, "config.toml")).toMatchObject({ mcp_servers: { "chest-memory": ENTRY } });
  const changed = { ...ENTRY, env: { CHEST_MODE: "remote" } };
  const updated = setInToml(added, ["mcp_servers", "chest-memory"], changed, "config.toml");
  expect(readToml(updated, "config.toml")).toMatchObject({ mcp_servers: { "chest-memory": changed } });
  expect(readToml(setInToml(updated, ["mcp_servers", "chest-memory"], undefined, "config.toml"), "x")).toEqual(
    readToml(theirs, "x"),
  );
});
