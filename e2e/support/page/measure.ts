import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { residentMbOf } from "../../load/process-use.ts";
import { ensurePageIsBuilt, openBrowser, openPage } from "./browser.ts";
import { type Furnished, startFurnished } from "./stores.ts";

// Measures the figures of the page for docs/page.md: `npm run page-figures`; with a store of 100,000 memories, `npm run
// page-figures -- full`.
const isFull = process.argv[2] === "full";
const ROUNDS = 5;

/** Text or element, for each page, that shows its content has arrived. */
const SHOWN: Readonly<Record<string, string>> = {
  "?since=week": ".home",
  search: "[data-hit]",
  "search?view=table": "[data-hit]",
  "search?q=response%20body": "[data-hit]",
  entities: "tbody tr",
  inbox: "[role=tabpanel]",
  insight: ".tile b",
  sessions: "main .page li, main .page article, tbody tr",
  health: ".findings",
};

ensurePageIsBuilt();
const backend = await startFurnished(isFull ? "full" : "demo");
const residentMb = () => Math.round(residentMbOf(backend.pid ?? 0));
const before = residentMb();
const browser = await openBrowser();
const { page, troubles } = await openPage(browser);
await page.goto(backend.url);
await page.getByRole("textbox", { name: "Token" }).fill(backend.token);
await page.getByRole("button", { name: "Sign in" }).click();
await page.locator(".home").waitFor();

const session = await page.context().newCDPSession(page);
await session.send("Network.setCacheDisabled", { cacheDisabled: true });
await page.reload();
await page.locator(".home").waitFor();
const script = (await page.evaluate(
  "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)",
)) as number;
console.log(`script before the first page, signed in: ${Math.round(script / 1000)} KB compressed`);

await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
const interactive = await best(async () => {
  const startedAt = performance.now();
  await page.reload();
  await page.locator(".home").waitFor();
  await page.evaluate("new Promise(requestAnimationFrame)");
  return performance.now() - startedAt;
});
await page.goto(`${backend.url}/#/search`);
await page.locator("[data-hit]").first().waitFor();
console.log(`interactive on loopback, processor at a quarter: ${Math.round(interactive)} ms`);
await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });

// Words are read from the disk at first, and a search that waits for the disk may exceed its time limit.
while (!(await isFound("where do deploys go"))) await new Promise((resolve) => setTimeout(resolve, 1000));
const painted = await best(async (round) => {
  const answered = page.waitForResponse(/chest_recall/).then(async (response) => {
    await response.finished();
    return performance.now();
  });
  await page.getByRole("searchbox").fill(`where do deploys go ${round}`);
  const at = await answered;
  await page.getByText(/^by words/).waitFor();
  await page.evaluate("new Promise(requestAnimationFrame)");
  return performance.now() - at;
});
console.log(`painted after the answer to a search: ${Math.round(painted)} ms`);

if (isFull) {
  for (const [route, shown] of Object.entries(SHOWN)) {
    const [ms, cpu] = await opened(page, backend, route, shown);
    console.log(`${route}: shown after ${Math.round(ms)} ms, ${cpu} ms of the backend's processor`);
  }
  for (const route of ["search?sort=recent&view=table", "search?sort=recent"]) {
    await page.goto(`${backend.url}/#/${route}`);
    await page.locator("[data-hit]").first().waitFor();
    const { frames, slow, longest, long, rows } = (await page.evaluate(scrolling())) as Scrolled;
    console.log(
      `${route}: ${rows} rows in ${frames} frames, the longest ${longest} ms, ${slow} above 50 ms; tasks above 50 ms: ${long}`,
    );
  }
}
for (const trouble of troubles.filter((each) => !each.includes("401"))) console.error(trouble);
for (const route of Object.keys(SHOWN)) {
  await page.goto(`${backend.url}/#/${route}`);
  await page.waitForLoadState("networkidle");
}
console.log(`memory of the backend: ${before} MB before the first visit, ${residentMb()} MB after all of these`);
await browser.close();
await backend.stop();

async function opened(page: Page, { url, pid }: Furnished, route: string, shown: string): Promise<[number, number]> {
  await page.goto(`${url}/#/new`);
  await page.locator("h1").waitFor();
  const before = processorMs(pid);
  const startedAt = performance.now();
  await page.goto(`${url}/#/${route}`);
  await page.locator(shown).first().waitFor({ timeout: 60_000 });
  const ms = performance.now() - startedAt;
  await page.waitForLoadState("networkidle");
  return [ms, processorMs(pid) - before];
}

async function isFound(query: string): Promise<boolean> {
  const { ok } = await fetch(`${backend.url}/api/tools/chest_recall`, {
    method: "POST",
    headers: { authorization: `Bearer ${backend.token}`, "content-type": "application/json" },
    body: JSON.stringify({ query, project: "*" }),
  });
  return ok;
}

/** Processor time that a process has used. */
function processorMs(pid: number | undefined): number {
  const [, , , , , , , , , , , user = 0, system = 0] =
    readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(user) + Number(system));
}

async function best(run: (round: number) => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await run(round));
  return Math.min(...times);
}

interface Scrolled {
  readonly frames: number;
  readonly slow: number;
  readonly longest: number;
  readonly long: number;
  readonly rows: number;
}

/** Scrolls for ten seconds as fast as rows arrive, and measures the frames. */
function scrolling(): string {
  return `(async () => {
    const list = document.querySelector(".hits");
    let long = 0;
    new PerformanceObserver((seen) => { long += seen.getEntries().length; }).observe({ type: "longtask" });
    const frames = [];
    let last = performance.now();
    const end = last + 10000;
    while (last < end) {
      list.scrollTop += 400;
      const now = await new Promise(requestAnimationFrame);
      frames.push(now - last);
      last = now;
    }
    const rows = 1 + Math.max(...[...document.querySelectorAll("[data-index]")].map(({ dataset }) => Number(dataset.index)));
    const shown = frames.slice(2);
    return { frames: shown.length, slow: shown.filter((ms) => ms > 50).length, longest: Math.round(Math.max(...shown)), long, rows };
  })()`;
}
