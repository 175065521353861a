import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { NODE_24, ROOT } from "../process.ts";
import { CHROMIUM, hasProgram } from "../requirements.ts";

/** For `describe.skipIf(!hasChromium)`. */
export const hasChromium = hasProgram("chromium");

/** Starts Debian's Chromium; as root it runs without its sandbox. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });

/** Builds the page where it is not built yet. */
export function ensurePageIsBuilt(): void {
  const built = ["index.html", "chat-view.html"].map((file) => join(ROOT, "apps/web/dist", file));
  if (built.every((file) => existsSync(file))) return;
  const vite = join(ROOT, "apps/web/node_modules/vite/bin/vite.js");
  const { status, stderr } = spawnSync(NODE_24, [vite, "build", join(ROOT, "apps/web")], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the page cannot be built: ${stderr}`);
}

export interface OpenPage {
  readonly page: Page;
  /** Errors and warnings of the console, and uncaught errors. */
  readonly troubles: string[];
}

/** Opens a page in a new browser, without cookies or cache. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({ locale: "en-GB", ...options });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("console", (message) => {
    // Chromium reports a network of this machine that another program added or removed.
    if (message.text().includes("ERR_NETWORK_CHANGED")) return;
    if (["error", "warning"].includes(message.type())) troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(String(error)));
  return { page, troubles };
}
