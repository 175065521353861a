import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { localCaller, openSignInDesk, systemClock } from "@chest/core";
import { openSqliteEngine } from "@chest/store-sqlite";
import { ensurePageIsBuilt, openBrowser, openPage } from "./browser.ts";
import { STORES, startFurnished } from "./stores.ts";

// Pictures of every page, light and dark, wide and narrow: `npm run screenshots -- FOLDER [LANGUAGE] [fresh|demo|full]`.
const [folder = "results/screenshots", locale = "en-GB", named = "demo"] = process.argv.slice(2);
const kind = STORES.find((each) => each === named);
if (!kind) throw new Error(`\`${named}\` is not one of ${STORES.join(", ")}`);
mkdirSync(folder, { recursive: true });
ensurePageIsBuilt();

const backend = await startFurnished(kind);
const { ids } = backend;
const engine = await openSqliteEngine({ path: join(backend.dataDir, "chest.db") });
const desk = openSignInDesk(engine.access, localCaller(undefined), systemClock);
const PAGES: Readonly<Record<string, string>> = {
  search: "/search?q=where%20do%20deploys%20go",
  list: "/search",
  table: "/search?view=table",
  memory: `/memories/${ids[1] ?? 1}`,
  inbox: "/inbox",
  entities: "/entities",
  files: "/files?path=src/server/session.ts",
  work: "/work",
  sessions: "/sessions",
  entity: "/entities/acme-api",
  duplicates: "/inbox?tab=duplicates",
  conversations: "/sessions?tab=conversations",
  people: "/people",
  projects: "/people?tab=projects",
  tokens: "/people?tab=tokens",
  activity: "/activity",
  insight: "/insight",
  health: "/health",
  settings: "/settings",
  connect: "/connect",
};

/** A large store takes longer for its sums. */
const PATIENCE_MS = kind === "full" ? 2500 : 700;
const browser = await openBrowser();
const SIZES = { wide: { width: 1360, height: 850 }, narrow: { width: 390, height: 844 } };
for (const colorScheme of ["light", "dark"] as const) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    const { page, troubles } = await openPage(browser, { colorScheme, viewport, locale });
    await page.goto(`${backend.url}/#/sign-in`);
    await page.getByRole("button").first().waitFor();
    await page.screenshot({ path: join(folder, `sign-in-${size}-${colorScheme}.png`) });
    const { link } = await desk.createLink({});
    await page.goto(`${backend.url}/#/sign-in?link=${link}`);
    await page.getByRole("navigation").waitFor();
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(`${backend.url}/#${path}`);
      await page.waitForTimeout(PATIENCE_MS);
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
    }
    for (const trouble of troubles) console.error(`${size} ${colorScheme}: ${trouble}`);
    await page.context().close();
  }
}
await browser.close();
await engine.close();
await backend.stop();
