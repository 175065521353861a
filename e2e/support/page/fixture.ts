import { join } from "node:path";
import { localCaller, openAccessAdmin, openSignInAdmin } from "@chest/core/access";
import { systemClock } from "@chest/core/ports";
import { openSqliteEngine } from "@chest/store-sqlite";
import type { Page } from "playwright-core";
import { startBackend } from "../backend.ts";
import { ensurePageIsBuilt, openBrowser, openPage } from "./browser.ts";
import { fillDemo } from "./demo.ts";

export type PageFixture = Awaited<ReturnType<typeof openPageFixture>>;

/** A backend with an invented team's memories, a browser, and ways to sign in. */
export async function openPageFixture(env: NodeJS.ProcessEnv = {}) {
  ensurePageIsBuilt();
  const backend = await startBackend({ env: { CHEST_RATE_LIMIT: "0", CHEST_SYNC_EMBED: "0", ...env } });
  const ids = await fillDemo(backend.url, backend.token);
  const engine = await openSqliteEngine({ path: join(backend.dataDir, "chest.db") });
  const browser = await openBrowser();

  const links = () => openSignInAdmin(engine.access, localCaller(undefined), systemClock);
  const linkFor = async (member?: string) => (await links().createLink(member === undefined ? {} : { member })).link;

  /** Signs in by a link, as `local` or as the given member. */
  async function signedIn(member?: string, options: Parameters<typeof openPage>[1] = {}) {
    const opened = await openPage(browser, options);
    await opened.page.goto(`${backend.url}/#/sign-in?link=${await linkFor(member)}`);
    await opened.page.locator("nav").waitFor({ state: "attached" });
    return opened;
  }

  /** Signs in by a token; the member of the shared token wrote the memories. */
  async function byToken(token = backend.token) {
    const opened = await openPage(browser);
    await opened.page.goto(backend.url);
    await opened.page.getByRole("textbox", { name: "Token" }).fill(token);
    await opened.page.getByRole("button", { name: "Sign in" }).click();
    await opened.page.getByRole("navigation").waitFor();
    return opened;
  }

  return {
    ...{ backend, browser, engine, ids, linkFor, signedIn, byToken },
    admin: () => openAccessAdmin(engine.access, localCaller(undefined), systemClock),
    go: (page: Page, route: string) => page.goto(`${backend.url}/#/${route}`),
    /** Calls a tool like an agent, with the shared token or another. */
    ask: (tool: string, body: object, token = backend.token) =>
      fetch(`${backend.url}/api/tools/${tool}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }).then((response) => response.json() as Promise<{ result: { memory_id: number } }>),
    async close() {
      await browser.close();
      await engine.close();
      await backend.stop();
    },
  };
}
