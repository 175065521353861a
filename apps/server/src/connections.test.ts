import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { httpConfiguration, stdioConfiguration, welcome } from "./connections.ts";

const connection = {
  url: "http://127.0.0.1:8765",
  tokenFile: "/data/token",
  client: { node: "/opt/node", file: "/repo/apps/mcp/dist/chest-memory.js" },
};

it("connects over HTTP with a command that reads the token from its file", () => {
  expect(httpConfiguration(connection)).toMatchInlineSnapshot(`
    {
      "mcpServers": {
        "chest-memory": {
          "headers": {
            "X-Chest-Project": "",
            "X-Chest-Session": "",
          },
          "headersHelper": "printf '{"Authorization":"Bearer %s"}' "$(cat /data/token)"",
          "type": "http",
          "url": "http://127.0.0.1:8765/mcp",
        },
      },
    }
  `);
});

it("connects over stdio with the name of the token's file", () => {
  expect(stdioConfiguration(connection)).toMatchInlineSnapshot(`
    {
      "mcpServers": {
        "chest-memory": {
          "args": [
            "/repo/apps/mcp/dist/chest-memory.js",
          ],
          "command": "/opt/node",
          "env": {
            "CHEST_API_TOKEN_FILE": "/data/token",
            "CHEST_MODE": "remote",
            "CHEST_REMOTE_URL": "http://127.0.0.1:8765",
          },
        },
      },
    }
  `);
});

it("builds the header from a token file of any name", () => {
  const folder = mkdtempSync(join(tmpdir(), "it's a $HOME of `tokens` "));
  const tokenFile = join(folder, "the token");
  writeFileSync(tokenFile, "cht_secret\n");
  const entry = httpConfiguration({ ...connection, tokenFile }).mcpServers["chest-memory"];

  const printed = execFileSync("sh", ["-c", String((entry as { headersHelper?: string }).headersHelper)], {
    encoding: "utf8",
  });

  rmSync(folder, { recursive: true });
  expect(JSON.parse(printed)).toEqual({ Authorization: "Bearer cht_secret" });
});

it("leaves a token of the environment to the agent's environment", () => {
  const of = { ...connection, tokenFile: undefined };

  expect(stdioConfiguration(of).mcpServers["chest-memory"].env).toMatchObject({
    CHEST_API_TOKEN: expect.stringMatching(/^\$\{CHEST_API_TOKEN\}$/),
  });
  expect(httpConfiguration(of).mcpServers["chest-memory"]).toMatchObject({
    headers: { Authorization: expect.stringMatching(/^Bearer \$\{CHEST_API_TOKEN\}$/) },
  });
});

it("shows both configurations, and the paths of everything", () => {
  const screen = welcome(connection, "/data", "http://127.0.0.1:8765/#/sign-in?link=cht_1_x");

  expect(screen).toContain("http://127.0.0.1:8765");
  expect(screen).toContain("npm run setup -- --docker http://127.0.0.1:8765 --token-file /data/token\n");
  expect(screen).toContain("  npm run -s chest-index -- page\n");
  expect(welcome({ ...connection, client: undefined }, "/data", "")).toContain(
    "  npx -y -p chest-memory chest-index page\n",
  );
  for (const configuration of [httpConfiguration(connection), stdioConfiguration(connection)]) {
    expect(screen).toContain(JSON.stringify(configuration, null, 2));
  }
});
