import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { localCaller, openAccessAdmin, openSignInAdmin, systemClock } from "@chest/core";
import { openSqliteEngine } from "@chest/store-sqlite";
import { setup } from "../built.ts";
import { ROOT } from "../process.ts";
import { ensurePageIsBuilt, openBrowser, openPage } from "./browser.ts";
import { playSessions } from "./demo-sessions.ts";
import { startFurnished } from "./stores.ts";

// Makes the pictures of README and docs/page.md from a store of an invented team: `npm run pictures`.
const FOLDER = join(ROOT, "docs/images");
const SIZE = { width: 1360, height: 850 };
const QUIET_MS = 1500;
/** The record of lines shown to agents is written in batches, a moment later. */
const WRITTEN_MS = 4000;

await setup();
ensurePageIsBuilt();
const backend = await startFurnished("demo");
const engine = await openSqliteEngine({ path: join(backend.dataDir, "chest.db") });
const people = openAccessAdmin(engine.access, localCaller(undefined), systemClock);
const tokens = new Map<string, string>();
for (const name of ["mika", "rosa"]) {
  await people.addMember({ name });
  const made = await people.createToken({ member: name, scopes: ["read", "write"], label: "laptop", expires: "90d" });
  tokens.set(name, made.token);
}
await playSessions(async (path, body, type, member) => {
  const headers = {
    authorization: `Bearer ${tokens.get(member)}`,
    "content-type": type,
    "x-chest-project": encodeURIComponent("github.com/acme/api"),
  };
  const answer = await fetch(`${backend.url}${path}`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
});

await sleep(WRITTEN_MS);

const VIEWS: Readonly<Record<string, string>> = {
  "page-home": "/?since=week",
  "page-search": "/search?q=where%20do%20deploys%20go",
  "page-memory": `/memories/${backend.ids[1] ?? 1}`,
  "page-replay": "/sessions/91ad-invoice-rounding",
  "page-health": "/health",
};

const browser = await openBrowser();
const { page, troubles } = await openPage(browser, { colorScheme: "light", viewport: SIZE, locale: "en-GB" });
const { link } = await openSignInAdmin(engine.access, localCaller(undefined), systemClock).createLink({});
await page.goto(`${backend.url}/#/sign-in?link=${link}`);
await page.getByRole("navigation").waitFor();
for (const [name, path] of Object.entries(VIEWS)) {
  await page.goto(`${backend.url}/#${path}`);
  await page.waitForTimeout(QUIET_MS);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}
for (const trouble of troubles) console.error(trouble);
await browser.close();
await engine.close();
await backend.stop();
