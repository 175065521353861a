import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/page/browser.ts";
import { openPageFixture, type PageFixture } from "../support/page/fixture.ts";

const SESSION = "of-the-day";
const ASKED = "Where do deploys of acme-api go since the autumn outage?";
const HASHES = ["a".repeat(64), "b".repeat(64)] as const;

describe.skipIf(!hasChromium)("tasks of a day on the page", () => {
  let backend: PageFixture;
  let page: Page;
  beforeAll(async () => {
    backend = await openPageFixture({ CHEST_KEEP_GAPS: "1" });
    ({ page } = await backend.byToken());
    await counting(page);
  });
  afterAll(() => backend.close());

  const stored = async (over: object): Promise<number> =>
    (
      await backend.ask("chest_remember", {
        ...{ entity_name: "tasks", entity_kind: "concept", layer: "learning", visibility: "team", ...over },
      })
    ).result.memory_id;
  /** Plays a session through the hooks, as an agent's own hooks do. */
  async function playSession(): Promise<void> {
    const said = { type: "user", message: { role: "user", content: ASKED } };
    const line = { sessionId: SESSION, uuid: "u1", timestamp: new Date().toISOString(), cwd: "/home/dev/api", ...said };
    const sent = [
      ["sync-session", "application/x-ndjson", `${JSON.stringify(line)}\n`],
      ["prompt", "application/json", JSON.stringify({ session_id: SESSION, prompt: ASKED })],
      ["session-end", "application/json", JSON.stringify({ session_id: SESSION })],
    ] as const;
    for (const [event, type, body] of sent) {
      const headers = {
        authorization: `Bearer ${backend.backend.token}`,
        "content-type": type,
        "x-chest-project": encodeURIComponent("github.com/acme/api"),
      };
      expect((await fetch(`${backend.backend.url}/api/hooks/${event}`, { method: "POST", headers, body })).status).toBe(
        200,
      );
    }
  }
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const nav = (name: string) => page.getByRole("navigation").getByRole("link", { name });

  it("corrects a memory, from the list, in three clicks", async () => {
    await stored({ content: "The buoy is red.", tags: ["buoy"] });
    await backend.go(page, "search?tag=buoy");
    const clicks = await clicksOf(page, async () => {
      await page.getByText("The buoy is red.").click();
      await button("Edit").click();
      await page.getByRole("textbox", { name: "Content" }).fill("The buoy is green.");
      await button("Save").click();
      await page.getByText("Saved as version 2.").waitFor();
    });
    expect(clicks).toBeLessThanOrEqual(3);
  });

  it("accepts a stale source in one click, and clears a flag in two", async () => {
    const [hash, changed] = HASHES;
    const source_state = [{ path: "src/buoy.ts", hash }];
    const id = await stored({ content: "The buoy is set in its file.", source: ["src/buoy.ts"], source_state });
    await backend.ask("chest_verify", { found: [{ memory_id: id, path: "src/buoy.ts", hash: changed }] });
    await backend.go(page, "inbox?tab=stale");
    const accept = await clicksOf(page, async () => {
      await page
        .locator(".group", { hasText: "set in its file" })
        .getByRole("button", { name: /Still true/ })
        .click();
      await page.getByText("The files are noted as they were found.").waitFor();
    });
    const admin = (await backend.signedIn()).page;
    await counting(admin);
    await backend.go(admin, "inbox?tab=flagged");
    const clear = await clicksOf(admin, async () => {
      await admin
        .getByRole("button", { name: /It is harmless/ })
        .first()
        .click();
      await admin.getByRole("textbox", { name: "Reason" }).fill("It quotes an attack");
      await admin.getByRole("dialog").getByRole("button", { name: "It is harmless" }).click();
      await admin.getByText("The mark is removed.").waitFor();
    });
    expect([accept, clear]).toEqual([1, 2]);
    await admin.context().close();
  });

  it("archives forty in four clicks, and exports what was chosen in three", async () => {
    for (let nth = 0; nth < 40; nth++)
      await stored({ content: `Berth ${nth} is let until spring.`, tags: ["berths"], force: true });
    await backend.go(page, "search?tag=berths");
    await page.getByText("40 memories", { exact: true }).waitFor();
    const row = page.locator(".row").first();
    const exported = await clicksOf(page, async () => {
      await row.hover();
      await row.getByRole("checkbox").click();
      const download = page.waitForEvent("download");
      await button("Export").click();
      await page.getByRole("menuitem", { name: "Markdown" }).click();
      await download;
    });
    await page.keyboard.press("Escape");
    await page.reload();
    await counting(page);
    const archived = await clicksOf(page, async () => {
      await row.hover();
      await row.getByRole("checkbox").click();
      await button("Choose all that are shown").click();
      await page.getByText("40 memories chosen").waitFor();
      await button("Archive").click();
      await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
      await page.getByText("40 memories are changed.").waitFor({ timeout: 60_000 });
    });
    expect(exported).toBeLessThanOrEqual(3);
    expect(archived).toBeLessThanOrEqual(4);
  });

  it("chooses all that match, beyond those that are listed", async () => {
    for (let nth = 0; nth < 70; nth++)
      await stored({ content: `Buoy ${nth} was painted in May.`, tags: ["buoys"], force: true });
    await backend.go(page, "search?tag=buoys");
    await page.getByText("70 memories", { exact: true }).waitFor();
    await page.locator(".row").first().hover();
    await page.locator(".row").first().getByRole("checkbox").click();
    await button("Choose all that match").click();
    await page.getByText("70 memories chosen").waitFor();
    await button("Choose all that match").waitFor({ state: "detached" });
    await button("Cancel").click();
  });

  it("changes the others where one of the chosen is refused, says how many, and takes them back with one undo", async () => {
    const ids: number[] = [];
    for (const end of ["rope", "chain", "hawser"])
      ids.push(await stored({ content: `The pier has a spare ${end}.`, tags: ["spares"], force: true }));
    const left = async () => {
      const { result } = await backend.ask("chest_recall", { ids });
      return (result as unknown as { memories: unknown[] }).memories.length;
    };
    await backend.go(page, "search?tag=spares");
    await page.getByText("3 memories", { exact: true }).waitFor();
    await page.locator(".row").first().hover();
    await page.locator(".row").first().getByRole("checkbox").click();
    await button("Choose all that are shown").click();
    await page.route("**/api/tools/chest_update_memory", (route) =>
      route.request().postDataJSON().memory_id === ids[1] ? route.abort() : route.continue(),
    );
    await button("Archive").click();
    await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
    await page.getByText("2 memories are changed. 1 was refused").waitFor();
    expect(await left()).toBe(1);

    await page.unroute("**/api/tools/chest_update_memory");
    await page.getByRole("button", { name: "Undo" }).last().click();
    await expect.poll(left, { timeout: 20_000 }).toBe(3);
  });

  it("adds a member with a token in four clicks", async () => {
    const admin = (await backend.signedIn()).page;
    await counting(admin);
    const clicks = await clicksOf(admin, async () => {
      await admin.getByRole("navigation").getByRole("link", { name: "People" }).click();
      await admin.getByRole("textbox", { name: "Name" }).fill("ines");
      await admin.getByRole("button", { name: "Add a member" }).click();
      await admin.getByRole("status").getByRole("button", { name: "Make a token" }).click();
      await admin.getByRole("dialog").getByRole("button", { name: "Make a token" }).click();
      await admin.getByText(/^cht_/).waitFor();
    });
    expect(clicks).toBeLessThanOrEqual(4);
    await admin.context().close();
  });

  it("answers eight questions of a stranger from the page alone", async () => {
    await backend.ask("chest_recall", { query: "Who feeds the harbour seals?" });
    await playSession();
    const admin = (await backend.signedIn()).page;
    await counting(admin);
    const link = (name: string) => admin.getByRole("navigation").getByRole("link", { name });
    const asked: Record<string, number> = {};
    const answer = async (question: string, work: () => Promise<void>) => {
      asked[question] = await clicksOf(admin, work);
    };
    await backend.go(admin, `memories/${backend.ids[1]}`);
    await answer("who changed this and what", async () => {
      await admin.getByText("edited by Shared token").first().waitFor();
      await admin.locator(".versions ins", { hasText: "member" }).first().waitFor();
    });
    await answer("who can see this", async () => {
      await admin.getByText("All members who may open the project").waitFor();
    });
    await answer("what was learned this week", async () => {
      await link("Home").click();
      await admin.getByText("A week", { exact: true }).click();
      await admin.getByText(/\d+ memories in \d+ places?\./).waitFor();
    });
    await answer("what contradicts", async () => {
      await link("Inbox").click();
      await admin.locator(".group", { hasText: "expires after 60 minutes" }).first().waitFor();
    });
    await answer("what is unused", async () => {
      await link("Insight").click();
      await admin.getByRole("heading", { name: "What is dead?" }).waitFor();
    });
    await answer("is it healthy", async () => {
      await link("Health").click();
      await admin.getByRole("heading", { name: "Findings" }).waitFor();
    });
    await answer("what would an agent know", async () => {
      await link("Agent's view").click();
      await admin.getByRole("textbox", { name: "Prompt" }).fill("where do deploys go");
      await admin.keyboard.press("Control+Enter");
      await admin.getByRole("heading", { name: "With this prompt" }).waitFor();
    });
    // Lines that were shown are written in batches.
    await expect
      .poll(
        async () => {
          await backend.go(page, `sessions/${SESSION}`);
          await page.reload();
          await page.locator("main h1").waitFor();
          return page.getByText(/\d+ tokens shown by hooks/).count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    await backend.go(page, "search");
    await counting(page);
    asked["what did an agent do and know, and what did it cost in tokens"] = await clicksOf(page, async () => {
      await nav("Sessions").click();
      await page.locator(".moment", { hasText: ASKED }).locator(".told").click();
      await page.getByText("With the prompt the agent was shown").waitFor();
      await page.getByText(/\d+ tokens shown by hooks/).waitFor();
    });
    expect(asked).toEqual({
      "who changed this and what": 0,
      "who can see this": 0,
      "what was learned this week": 2,
      "what contradicts": 1,
      "what is unused": 1,
      "is it healthy": 1,
      "what would an agent know": 1,
      "what did an agent do and know, and what did it cost in tokens": 2,
    });
    await admin.context().close();
  });
});

/** Counts presses of the mouse from now on. */
const counting = (page: Page): Promise<unknown> =>
  page.evaluate(`window.presses = 0; document.addEventListener("pointerdown", () => { window.presses += 1; }, true)`);

async function clicksOf(page: Page, work: () => Promise<void>): Promise<number> {
  const before = Number(await page.evaluate("window.presses"));
  await work();
  return Number(await page.evaluate("window.presses")) - before;
}
