import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { localCaller, openAccessAdmin } from "@chest/core/access";
import { systemClock } from "@chest/core/ports";
import { openSqliteEngine } from "@chest/store-sqlite";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { openOauthClient } from "../support/clients/oauth-client.ts";
import { freePort } from "../support/free-port.ts";
import { ensurePageIsBuilt, hasChromium, openBrowser, openPage } from "../support/page/browser.ts";
import { ROOT } from "../support/process.ts";
import { has } from "../support/requirements.ts";

const LIBRARY = "mcp==2.3.0";
const FOLDER = join(ROOT, "node_modules/.chest/python", LIBRARY);
const PYTHON = join(FOLDER, "bin/python");
const INSTALL = `test -f "$0/made" || { python3 -m venv "$0" && "$0/bin/pip" install -q --disable-pip-version-check ${LIBRARY} && touch "$0/made"; }`;
const hasPython = has("python", ["sh", "-c", INSTALL, FOLDER]);

describe.skipIf(!hasPython)("the official Python library", () => {
  let backend: Backend;
  beforeAll(async () => {
    ensurePageIsBuilt();
    const port = await freePort();
    backend = await startBackend({
      port,
      env: { CHEST_PUBLIC_URL: `http://127.0.0.1:${port}`, CHEST_SYNC_EMBED: "0" },
    });
    await fetch(`${backend.url}/api/tools/chest_remember`, {
      method: "POST",
      headers: { authorization: `Bearer ${backend.token}`, "content-type": "application/json" },
      body: JSON.stringify({
        ...{ entity_name: "acme-api", entity_kind: "project", layer: "learning" },
        content: "deploys go through the blue queue",
      }),
    });
  }, 60_000);
  afterAll(() => backend.stop());

  async function tokenOf(member: string): Promise<string> {
    const engine = await openSqliteEngine({ path: join(backend.dataDir, "chest.db") });
    const { token } = await openAccessAdmin(engine.access, localCaller(undefined), systemClock).createToken({ member });
    await engine.close();
    return token;
  }

  /** Starts the client, and reads its output line by line. */
  function ask(path: string, mode: string, env: Record<string, string>) {
    const script = join(ROOT, "e2e/support/clients/python_client.py");
    const child = spawn(PYTHON, [script, `${backend.url}${path}`, mode, "blue queue"], {
      env: { ...process.env, ...env, NO_PROXY: "127.0.0.1" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return {
      line: async () => String((await lines.next()).value),
      say: (text: string) => child.stdin.write(`${text}\n`),
    };
  }

  it.each([
    ["auto", "2026-07-28"],
    ["legacy", "2025-11-25"],
  ])("connects by token: %s", async (mode, version) => {
    const { line } = ask("/mcp", mode, { CHEST_TOKEN: backend.token });
    expect(await line()).toBe(version);
    expect(await line()).toContain("deploys go through the blue queue");
  });

  describe.skipIf(!hasChromium)("in a browser", () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(() => browser.close());

    it("connects by OAuth: discovery, registration, consent, token, call", async () => {
      const callback = await openOauthClient();
      const { line, say } = ask("/mcp/oauth", "auto", { CHEST_CALLBACK: String(callback.provider.redirectUrl) });

      const { page } = await openPage(browser);
      await page.goto(await line());
      await page.getByLabel("Token").fill(await tokenOf("alice"));
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "A Python client asks for access to Chest" }).waitFor();
      await page.getByRole("button", { name: "Allow" }).click();
      say(String(await callback.called));

      expect(await line()).toBe("2026-07-28");
      expect(await line()).toContain("deploys go through the blue queue");
      await page.context().close();
      callback.close();
    });
  });
});
