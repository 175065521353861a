import { join } from "node:path";
import { localCaller, openSignInAdmin } from "@chest/core/access";
import { systemClock } from "@chest/core/ports";
import { openSqliteEngine } from "@chest/store-sqlite";
import { setup } from "../built.ts";
import { ROOT } from "../process.ts";
import { ensurePageIsBuilt, openBrowser, openPage } from "./browser.ts";
import { startFurnished } from "./stores.ts";

// Makes the pictures of README and docs/page.md from a store of an invented team: `npm run pictures`.
const FOLDER = join(ROOT, "docs/images");
const SIZE = { width: 1360, height: 850 };
const QUIET_MS = 1500;

await setup();
ensurePageIsBuilt();
const backend = await startFurnished("team");
const engine = await openSqliteEngine({ path: join(backend.dataDir, "chest.db") });
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
