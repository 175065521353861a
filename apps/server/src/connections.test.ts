import { expect, it } from "vitest";
import { httpConfiguration, stdioConfiguration, welcome } from "./connections.ts";

const connection = {
  url: "http://127.0.0.1:8765",
  token: "cht_secret",
  tokenFile: "/data/token",
  node: "/opt/node",
  client: "/repo/apps/mcp/dist/chest-memory.js",
};

it("connects over HTTP with the token in a header", () => {
  expect(httpConfiguration(connection)).toMatchInlineSnapshot(`
    {
      "mcpServers": {
        "chest-memory": {
          "headers": {
            "Authorization": "Bearer cht_secret",
            "X-Chest-Project": "",
            "X-Chest-Session": "",
          },
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
  expect(JSON.stringify(stdioConfiguration(connection))).not.toContain("cht_secret");
});

it("hands the token itself on when no file has it", () => {
  const { env } = stdioConfiguration({ ...connection, tokenFile: undefined }).mcpServers["chest-memory"];

  expect(env).toMatchObject({ CHEST_API_TOKEN: "cht_secret" });
});

it("shows both, and where everything is", () => {
  const screen = welcome(connection, "/data", "http://127.0.0.1:8765/#/sign-in?link=cht_1_x");

  expect(screen).toContain("http://127.0.0.1:8765");
  expect(screen).toContain("npm run setup -- --docker http://127.0.0.1:8765 --token-file /data/token\n");
  for (const configuration of [httpConfiguration(connection), stdioConfiguration(connection)]) {
    expect(screen).toContain(JSON.stringify(configuration, null, 2));
  }
});
