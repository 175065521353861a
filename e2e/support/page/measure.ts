import { startBackend } from "../backend.ts";
import { ensurePageIsBuilt, openBrowser, openPage } from "./browser.ts";
import { fillDemo } from "./demo.ts";

// Figures of the page, for docs/page.md: `npm run page-figures -- [MEMORIES]`.
const many = Number(process.argv[2] ?? 0);
const ROUNDS = 5;

ensurePageIsBuilt();
const backend = await startBackend({
  env: { CHEST_RATE_LIMIT: "0", CHEST_RATE_LIMIT_WRITES: "0", CHEST_SYNC_EMBED: "0", CHEST_AUTO_MAINTENANCE: "0" },
});
await fillDemo(backend.url, backend.token);
for (let made = 0; made < many; made += 100) {
  await Promise.all(Array.from({ length: Math.min(100, many - made) }, (_, nth) => remember(made + nth)));
}
const browser = await openBrowser();
const { page } = await openPage(browser);
await page.goto(backend.url);
await page.getByRole("textbox", { name: "Token" }).fill(backend.token);
await page.getByRole("button", { name: "Sign in" }).click();
await page.getByText("Most in use").waitFor();

const session = await page.context().newCDPSession(page);
await session.send("Network.setCacheDisabled", { cacheDisabled: true });
await page.reload();
await page.getByText("Most in use").waitFor();
const script = (await page.evaluate(
  "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)",
)) as number;
console.log(`script before the first page, signed in: ${Math.round(script / 1000)} KB compressed`);

await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
const interactive = await best(async () => {
  const startedAt = performance.now();
  await page.reload();
  await page.getByRole("searchbox").waitFor();
  await page.evaluate("new Promise(requestAnimationFrame)");
  return performance.now() - startedAt;
});
console.log(`interactive on loopback, processor at a quarter: ${Math.round(interactive)} ms`);
await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });

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

if (many > 0) {
  await page.goto(`${backend.url}/#/search`);
  await page.getByText("Most in use").waitFor();
  const scrolled = (await page.evaluate(scrolling())) as { frames: number; longest: number; rows: number };
  console.log(`${scrolled.rows} pixels scrolled in ${scrolled.frames} frames, the longest ${scrolled.longest} ms`);
}
await browser.close();
await backend.stop();

async function best(run: (round: number) => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await run(round));
  return Math.min(...times);
}

function remember(nth: number): Promise<Response> {
  const fact = { entity_name: `topic-${nth % 500}`, entity_kind: "concept", layer: "learning", force: true };
  return fetch(`${backend.url}/api/tools/chest_remember`, {
    method: "POST",
    headers: { authorization: `Bearer ${backend.token}`, "content-type": "application/json" },
    body: JSON.stringify({ ...fact, content: `Fact ${nth} of the large store, about gears and levers.` }),
  });
}

/** Scrolls what was found for five seconds, and measures the frames. */
function scrolling(): string {
  return `(async () => {
    const list = document.querySelector(".hits");
    const frames = [];
    let last = performance.now();
    const end = last + 5000;
    while (last < end) {
      list.scrollTop += 400;
      const now = await new Promise(requestAnimationFrame);
      frames.push(now - last);
      last = now;
    }
    return { frames: frames.length, longest: Math.round(Math.max(...frames.slice(2))), rows: Math.round(list.scrollTop) };
  })()`;
}
