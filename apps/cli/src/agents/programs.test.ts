import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fittingNode, isAtLeast } from "./programs.ts";

it.each([
  ["20.11.0", false],
  ["20.16.0", true],
  ["20.9.0", false],
  ["18.20.4", false],
  ["22.2.0", true],
  ["24.0.0-nightly", true],
])("Node %s starts the client: %s", (version, isEnough) => {
  expect(isAtLeast(version, "20.16")).toBe(isEnough);
});

it.skipIf(process.platform === "win32")("a Node on the path is started once to ask for its version", async () => {
  const folder = mkdtempSync(join(tmpdir(), "chest-node-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [starts, node] = [join(folder, "starts"), { version: "99.1.0", path: "/opt/node" }];
  const script = `#!/bin/sh\necho started >> '${starts}'\necho '${JSON.stringify(node)}'\n`;
  writeFileSync(join(folder, "node"), script, { mode: 0o755 });
  const env = { PATH: `${folder}:/usr/bin:/bin` };

  expect([await fittingNode(env, "20.16"), await fittingNode(env, "22.0")]).toEqual([node, node]);

  expect(readFileSync(starts, "utf8")).toBe("started\n");
});
