import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { localCaller, openAccessAdmin, openSignInAdmin } from "@chest/core/access";
import { systemClock } from "@chest/core/ports";
import { openSqliteEngine } from "@chest/store-sqlite";
import type { Page } from "playwright-core";
import { setup } from "../built.ts";
import { ensurePageIsBuilt, openBrowser, openPage } from "./browser.ts";
import { STORES, startFurnished } from "./stores.ts";

// Pictures of every page, light and dark, wide and narrow: `npm run screenshots -- FOLDER [LANGUAGE] [fresh|demo|team|full]`.
const [folder = "results/screenshots", locale = "en-GB", named = "team"] = process.argv.slice(2);
const kind = STORES.find((each) => each === named);
if (!kind) throw new Error(`\`${named}\` is not one of ${STORES.join(", ")}`);
mkdirSync(folder, { recursive: true });
await setup();
ensurePageIsBuilt();

const backend = await startFurnished(kind);
const { ids } = backend;
const engine = await openSqliteEngine({ path: join(backend.dataDir, "chest.db") });
const signIns = openSignInAdmin(engine.access, localCaller(undefined), systemClock);
if (kind === "demo" || kind === "full") {
  const people = openAccessAdmin(engine.access, localCaller(undefined), systemClock);
  for (const name of ["mika", "rosa"]) await people.addMember({ name });
  await people.createToken({ member: "mika", scopes: ["read", "write"], label: "laptop", expires: "90d" });
  await people.createToken({ member: "rosa", scopes: ["read"], label: "review", expires: "7d" });
  await people.setProject({ key: "github.com/acme/vault", access: "members", add: ["mika"] });
}

/** Views that are reached by a click or a key. */
const FURTHER: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  why: async (page) => {
    await page.goto(`${backend.url}/#/search?q=where%20do%20deploys%20go`);
    await page.getByRole("button", { expanded: false }).and(page.locator(".why-toggle")).first().click();
  },
  graph: async (page) => {
    await page.goto(`${backend.url}/#/memories/${ids[2] ?? 1}`);
    await page.getByRole("tab").nth(2).click();
  },
  edit: async (page) => {
    await page.goto(`${backend.url}/#/memories/${ids[1] ?? 1}`);
    await page.locator(".said").waitFor();
    await page.keyboard.press("e");
  },
  "make-token": async (page) => {
    await page.goto(`${backend.url}/#/people?tab=tokens`);
    await page.locator("main .mantine-Button-root[data-variant=filled], main [role=tabpanel] button").first().click();
  },
  // The palette comes last, since it covers the page until it is closed.
  palette: async (page) => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
  },
};
const PAGES: Readonly<Record<string, string>> = {
  home: "/?since=week",
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
  webhooks: "/people?tab=webhooks",
  "sign-ins": "/people?tab=sign-ins",
  handoffs: "/sessions?tab=handoffs",
  triggers: "/sessions?tab=triggers",
  flagged: "/inbox?tab=flagged",
  stale: "/inbox?tab=stale",
  promotions: "/inbox?tab=promotions",
  replay: "/sessions/4be1-rate-limits?author=mika",
  preview: "/preview?prompt=why%20do%20deploys%20fail&project=github.com%2Facme%2Fapi",
  activity: "/activity",
  insight: "/insight",
  health: "/health",
  "new-memory": "/new",
  connect: "/connect",
};

const QUIET_MS = 400;
const MOST_MS = 20_000;

/** Waits until no request is running except the stream of events; the page is drawn a moment later. */
function quietnessOf(page: Page): () => Promise<void> {
  const open = new Set<object>();
  let changedAt = Date.now();
  const isStream = (url: string) => url.endsWith("/events");
  page.on("request", (request) => {
    changedAt = Date.now();
    if (!isStream(request.url())) open.add(request);
  });
  const end = (request: object) => {
    changedAt = Date.now();
    open.delete(request);
  };
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  return async () => {
    const startedAt = Date.now();
    changedAt = startedAt;
    while (Date.now() - startedAt < MOST_MS && (open.size > 0 || Date.now() - changedAt < QUIET_MS))
      await page.waitForTimeout(50);
  };
}

const browser = await openBrowser();
const SIZES = { wide: { width: 1360, height: 850 }, narrow: { width: 390, height: 844 } };
for (const colorScheme of ["light", "dark"] as const) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    const { page, troubles } = await openPage(browser, { colorScheme, viewport, locale });
    const settled = quietnessOf(page);
    await page.goto(`${backend.url}/#/sign-in`);
    await page.getByRole("button").first().waitFor();
    await page.screenshot({ path: join(folder, `sign-in-${size}-${colorScheme}.png`) });
    const { link } = await signIns.createLink({});
    await page.goto(`${backend.url}/#/sign-in?link=${link}`);
    await page.getByRole("navigation").waitFor();
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(`${backend.url}/#${path}`);
      await settled();
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
    }
    for (const [name, reach] of kind === "fresh" ? [] : Object.entries(FURTHER)) {
      await reach(page);
      await settled();
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
    }
    for (const trouble of troubles) console.error(`${size} ${colorScheme}: ${trouble}`);
    await page.context().close();
  }
}
await browser.close();
await engine.close();
await backend.stop();
