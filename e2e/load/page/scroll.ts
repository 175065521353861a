import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { CDPSession, Page } from "playwright-core";
import { ensurePageIsBuilt, openBrowser, openPage } from "../../support/page/browser.ts";
import type { Bench } from "../bench.ts";
import { bigStore } from "../big-store.ts";
import { atMost, type Figure } from "../figures.ts";
import { atRest } from "../process-use.ts";
import { median } from "../rounds.ts";

const MOST_MS = 11;
/** Steps of one turn: with rows of some 70 px they pass more than 3,000 memories, three turns more than 10,000. */
const [STEPS, STEP_PX] = [400, 600];
const VIEWPORT = { width: 1440, height: 900 };
const ARRANGEMENTS = { list: "", table: "?view=table" } as const;
/** Figures that Chromium adds up for a renderer, in seconds. */
const PARTS = {
  TaskDuration: "",
  ScriptDuration: ": script",
  LayoutDuration: ": layout",
  RecalcStyleDuration: ": style",
};
type Part = keyof typeof PARTS;

/** Measures what a step of the wheel costs the renderer of the page, in a list of all memories. */
export const scroll: Bench = async ({ rounds, rows, workDir, startServer }) => {
  ensurePageIsBuilt();
  await mkdir(join(workDir, "data"));
  await copyFile(await bigStore(rows), join(workDir, "data", "chest.db"));
  const server = await startServer();
  const browser = await openBrowser();
  try {
    await atRest(server.pid);
    const { page } = await openPage(browser, { viewport: VIEWPORT });
    await page.goto(server.url);
    await page.getByRole("textbox", { name: "Token" }).fill(server.token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator(".home").waitFor();
    const session = await page.context().newCDPSession(page);
    // Time of its thread: what other programs take of the processor does not count.
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const figures: Figure[] = [];
    for (const [arrangement, query] of Object.entries(ARRANGEMENTS)) {
      const turns: Record<Part, number>[] = [];
      await page.goto(`${server.url}/#/search${query}`);
      await page.locator("[data-hit]").first().waitFor();
      // The list goes on from turn to turn: a list that was scrolled far is no dearer than its beginning.
      for (let turn = 0; turn < rounds; turn++) turns.push(await scrolled(page, session));
      for (const [part, name] of Object.entries(PARTS) as [Part, string][]) {
        const value = median(turns.map((turn) => turn[part]));
        const goal = part === "TaskDuration" ? { goal: atMost(MOST_MS, value, `${MOST_MS} ms`) } : {};
        figures.push({ name: `a step of ${STEP_PX} px, ${arrangement} of ${rows}${name}`, unit: "ms", value, ...goal });
      }
    }
    return figures;
  } finally {
    await browser.close();
    await server.stop();
  }
};

/** Milliseconds that each part took for a step, on average. */
async function scrolled(page: Page, session: CDPSession): Promise<Record<Part, number>> {
  await page.mouse.move(VIEWPORT.width / 2, VIEWPORT.height / 2);
  const before = await metrics(session);
  for (let step = 0; step < STEPS; step++) {
    await page.mouse.wheel(0, STEP_PX);
    // Not by Playwright's own scripts, which would run in the thread that is measured.
    await session.send("Runtime.evaluate", { expression: "new Promise(requestAnimationFrame)", awaitPromise: true });
  }
  const after = await metrics(session);
  const each = (part: Part) => (1000 * (after[part] - before[part])) / STEPS;
  return Object.fromEntries((Object.keys(PARTS) as Part[]).map((part) => [part, each(part)])) as Record<Part, number>;
}

async function metrics(session: CDPSession): Promise<Record<Part, number>> {
  const { metrics: all } = await session.send("Performance.getMetrics");
  return Object.fromEntries(all.map(({ name, value }) => [name, value])) as Record<Part, number>;
}
