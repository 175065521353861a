import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { hasChromium } from "../support/page/browser.ts";
import { openPageFixture, type PageFixture } from "../support/page/fixture.ts";
import { seriousFindings } from "../support/page/serious-findings.ts";

const PROJECT = "github.com/acme/checkout";
const SESSION = "replayed-1";
const ASKED = "Make the **refund** rounding match the ledger, please.";

describe.skipIf(!hasChromium)("the replay of a session and the preview of what hooks show", () => {
  let backend: PageFixture;
  let known: number;
  beforeAll(async () => {
    backend = await openPageFixture();
    known = await stored("Refund rounding goes half to even, as the ledger does.");
    const at = new Date().toISOString();
    const line = (uuid: string, more: object) =>
      JSON.stringify({ sessionId: SESSION, uuid, timestamp: at, cwd: "/home/dev/checkout", ...more });
    const edit = { type: "tool_use", id: "t1", name: "Edit", input: { file_path: "/home/dev/checkout/src/refund.ts" } };
    await hook("sync-session", [
      line("u1", { type: "user", message: { role: "user", content: ASKED } }),
      line("u2", { type: "assistant", message: { role: "assistant", content: [edit] } }),
    ]);
    await hook("prompt", { session_id: SESSION, prompt: "how does refund rounding match the ledger?" });
    await hook("session-end", { session_id: SESSION });
    const shown = async () => {
      const answer = await fetch(`${backend.backend.url}/api/sessions/${SESSION}`, { headers: headers() });
      const { steps } = (await answer.json()) as { steps: readonly { kind: string }[] };
      return steps.map(({ kind }) => kind);
    };
    await vi.waitUntil(async () => (await shown()).includes("shown"), { timeout: 20_000, interval: 200 });
  }, 120_000);
  afterAll(() => backend.close());

  const headers = () => ({
    authorization: `Bearer ${backend.backend.token}`,
    "x-chest-project": encodeURIComponent(PROJECT),
  });
  async function hook(event: string, body: object | readonly string[]): Promise<void> {
    const [type, sent] = Array.isArray(body)
      ? ["application/x-ndjson", body.map((line) => `${line}\n`).join("")]
      : ["application/json", JSON.stringify(body)];
    const answer = await fetch(`${backend.backend.url}/api/hooks/${event}`, {
      method: "POST",
      headers: { ...headers(), "content-type": type },
      body: sent,
    });
    expect(answer.status).toBe(200);
  }
  async function stored(content: string): Promise<number> {
    const fact = { entity_name: "refunds", entity_kind: "concept", layer: "learning", visibility: "team", content };
    return (await backend.ask("chest_remember", { ...fact, project: PROJECT })).result.memory_id;
  }
  const confidence = async (id: number) => {
    const answer = await fetch(`${backend.backend.url}/api/memories/${id}`, { headers: headers() });
    return ((await answer.json()) as { memory: { confidence: number } }).memory.confidence;
  };
  const go = (page: Page, route: string) => backend.go(page, route);

  it("names sessions by their first request, filters them, and tells one in order of time", async () => {
    const { page, troubles } = await backend.byToken();
    await go(page, "sessions");
    const link = page.getByRole("link", { name: "Make the **refund** rounding" });
    await link.waitFor();
    await page.getByLabel("Day", { exact: true }).fill("2020-01-01");
    await page.getByText("No session fits these filters.").waitFor();
    await page.getByLabel("Day", { exact: true }).fill("");
    await page.getByRole("heading", { name: "Sessions", exact: true }).click();
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Control+k");
    expect(await page.getByPlaceholder("Go to a page").count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Go to a page").fill("rounding");
    await page.locator("[data-action]", { hasText: "Make the **refund** rounding" }).waitFor();
    await page.keyboard.press("Escape");
    await link.click();

    await page.getByRole("heading", { level: 1, name: "Make the **refund** rounding" }).waitFor();
    const heads = await page.locator(".step-head > span:first-child").allTextContents();
    expect(heads[0]).toBe("The agent was asked");
    expect(heads).toContain("With the prompt the agent was shown");
    expect(heads).toContain("The agent edited");
    expect(heads.at(-1)).toBe("Left for the next session");
    expect(await page.locator(".step-shown .step-head .score").textContent()).toMatch(/^\d+ tokens$/);
    await page.getByText("/home/dev/checkout/src/refund.ts").first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it("records a verdict by one key in a replay, in the results and on a memory, and undoes it", async () => {
    const { page } = await backend.byToken();
    const before = await confidence(known);
    await go(page, `sessions/${SESSION}`);
    await page.locator(`[data-memory="${known}"]`).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("y");
    await page.getByText("Marked as useful.").waitFor();
    expect(await confidence(known)).toBeCloseTo(before + 0.05);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => confidence(known)).toBeCloseTo(before);

    await go(page, "search?q=refund%20rounding%20ledger");
    await page.locator(`[data-hit="${known}"]`).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    const first = Number(await page.locator("[data-active] [data-hit]").getAttribute("data-hit"));
    const firstBefore = await confidence(first);
    await page.keyboard.press("n");
    await page.getByText("Marked as wrong").waitFor();
    expect(await confidence(first)).toBeLessThan(firstBefore);

    await go(page, `memories/${known}`);
    await page.locator(".memory-title").waitFor();
    const now = await confidence(known);
    await page.keyboard.press("y");
    await expect.poll(() => confidence(known)).toBeCloseTo(Math.min(0.95, now + 0.05));
    await page.context().close();
  });

  it("shows exactly what an agent would read, each line with its reason, and why not another memory", async () => {
    const far = await stored("The office plants are watered on Fridays.");
    const { page, troubles } = await backend.signedIn();
    await go(page, "preview");
    await page.getByRole("heading", { name: "At the start of a session" }).waitFor();
    await page.getByRole("textbox", { name: "Prompt" }).fill("how does refund rounding match the ledger?");
    await page.keyboard.press("Control+Enter");
    const block = page.getByRole("region", { name: "With this prompt" });
    await block.getByRole("link", { name: "Refund rounding goes half to even" }).waitFor();
    await block
      .getByText(/of the prompt's words/)
      .first()
      .waitFor();
    await block.getByText("Exactly as the agent reads it").click();
    expect(await block.locator("pre").textContent()).toContain("<chest-recall>");

    await page.getByRole("combobox", { name: "Why not this one?" }).fill(`#${far}`);
    await page.getByRole("option", { name: /office plants/ }).click();
    await page.getByText(/Neither its words nor its meaning|holds too few/).waitFor();
    await page.getByRole("combobox", { name: /^Member/ }).click();
    expect(await seriousFindings(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.context().close();
  });
});
