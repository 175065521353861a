import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

interface Run {
  readonly violations: readonly {
    readonly id: string;
    readonly impact?: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** Lists axe's serious and critical findings about the present page, one per line. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // Runs axe over the debugger's protocol, because the page's content security policy blocks foreign scripts.
  await page.evaluate(readFileSync(AXE, "utf8"));
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as Run;
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    );
}
