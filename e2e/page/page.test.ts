import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inShort } from "../../deploy/local/test-extent.ts";
import { startBackend } from "../support/backend.ts";
import { hasNginx, startTlsProxy } from "../support/deployment/nginx.ts";
import { hasChromium, openPage } from "../support/page/browser.ts";
import { openPageFixture, type PageFixture } from "../support/page/fixture.ts";
import { seriousFindings } from "../support/page/serious-findings.ts";

const EVIL = `<img src=x onerror="document.title='caught'"><script>document.title='caught'</script> <svg onload="document.title='caught'"></svg> ![](javascript:alert(1)) \u202e gnp.exe`;
const ROUTES = [
  ...[
    "",
    "?since=week",
    "search",
    "search?q=deploys",
    "search?view=table",
    "inbox",
    "inbox?tab=duplicates",
    "inbox?tab=flagged",
    "inbox?tab=promotions",
  ],
  ...["entities", "entities/acme-api", "files", "files?path=session.ts", "work", "work?tab=closed"],
  ...["sessions", "sessions?tab=handoffs", "sessions?tab=conversations", "sessions?tab=triggers"],
  ...["sessions/7f3c-review-of-sessions", "preview", "conversations/shed"],
  ...[
    "people",
    "people?tab=tokens",
    "people?tab=projects",
    "people?tab=webhooks",
    "activity",
    "insight",
    "health",
    "new",
    "connect",
  ],
];

const UNANSWERED = "does Mika play violin with the symphony orchestra of Vienna every winter evening";

describe.skipIf(!hasChromium)("the page", () => {
  let app: PageFixture;
  let backend: PageFixture["backend"];
  let browser: PageFixture["browser"];
  let ids: readonly number[];
  beforeAll(async () => {
    app = await openPageFixture({ CHEST_MAX_CONTENT_CHARS: "1000000" });
    ({ backend, browser, ids } = app);
  });
  afterAll(() => app.close());

  const admin = () => app.admin();
  const go = (page: Page, route: string) => app.go(page, route);
  const signedIn: PageFixture["signedIn"] = (...by) => app.signedIn(...by);
  const ask: PageFixture["ask"] = (...asked) => app.ask(...asked);
  /** Number of pixels by which the page is wider than its window. */
  const overflow = (page: Page) =>
    page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") as Promise<number>;

  it("removes a one-time link from the address, finds with reasons, and says why", async () => {
    const { page, troubles } = await signedIn();
    expect(page.url()).not.toContain("link=");
    await go(page, "search");
    await page.getByRole("searchbox").fill("where do deploys go");

    await page.getByText("Deploys of acme-api go through").waitFor();
    await page.getByRole("button", { name: "Why it was found" }).first().click();

    await page.getByText("Words: share of the question").waitFor();
    await page
      .getByText(/^Found by words/)
      .first()
      .waitFor();
    expect(page.url()).toContain("q=where");
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it("asks before a link of another member replaces the present sign-in", async () => {
    await admin().addMember({ name: "carol" });
    const { page } = await signedIn("carol");
    const link = await app.linkFor();
    await page.goto(`${backend.url}/#/sign-in?link=${link}`);
    await page.getByText("This browser is signed in as carol.").waitFor();
    await page.getByRole("button", { name: "Stay signed in as carol" }).click();
    await page.getByRole("navigation").waitFor();

    await page.goto(`${backend.url}/#/sign-in?link=${link}`);
    await page.getByRole("button", { name: /^Sign in as / }).click();
    await page.getByRole("navigation").waitFor();
    await page.context().close();
  });

  it("edits with a check of the version, and shows a conflict with the meanwhile written text", async () => {
    const { page } = await signedIn();
    await go(page, `memories/${ids[2]}`);
    await page.getByRole("button", { name: "Edit" }).click();
    await ask("chest_update_memory", { memory_id: ids[2], content: "Move the sessions out by the summer." });
    await page.getByRole("textbox", { name: "Content" }).fill("Move the sessions out by the winter.");
    await page.getByRole("button", { name: "Save" }).click();

    await page.getByText("Another member changed this memory").waitFor();
    await page.getByRole("button", { name: "Save over theirs" }).click();

    await page.getByText("Saved as version 3.").waitFor();
    await page.getByRole("button", { name: "Restore this version" }).last().click();
    await page.getByText("Version 1 is back.").waitFor();
    await page.context().close();
  });

  it("makes a token, shows it once, and ends its sign-ins when it is revoked", async () => {
    await admin().addMember({ name: "alice" });
    const { page } = await signedIn();
    await go(page, "people?tab=tokens");
    await page.getByRole("button", { name: "Make a token" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Member" }).fill("alice");
    await page.getByRole("option", { name: "alice" }).click();
    await dialog.getByRole("button", { name: "Make a token" }).click();
    const token = await dialog.getByText(/^cht_/).textContent();
    await page.keyboard.press("Escape");

    const hers = await openPage(browser);
    await hers.page.goto(backend.url);
    await hers.page.getByRole("textbox", { name: "Token" }).fill(token ?? "");
    await hers.page.getByRole("button", { name: "Sign in" }).click();
    await hers.page.getByRole("navigation").waitFor();
    // Actions that need more rights than hers are not offered.
    expect(await hers.page.getByRole("link", { name: "Health" }).count()).toBe(0);
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("There are no tokens yet.").waitFor();
    await hers.page.getByRole("link", { name: "Subjects" }).click();

    await hers.page.getByRole("textbox", { name: "Token" }).waitFor();
    await Promise.all([page.context().close(), hers.page.context().close()]);
  });

  it("shows changes as they happen, and stored markup as plain text", async () => {
    const { page, troubles } = await signedIn();
    await go(page, "activity");
    await page.getByText("Live").waitFor();
    const { result } = await ask("chest_remember", {
      ...{ entity_name: "markup", entity_kind: "concept", layer: "learning", visibility: "team", content: EVIL },
    });

    await page
      .getByRole("link", { name: /^<img src=x/ })
      .first()
      .click();
    await page.waitForURL(new RegExp(`memories/${result.memory_id}$`));

    await page.getByText("<script>").first().waitFor();
    expect(await page.title()).not.toBe("caught");
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it("resolves contradictions and near-duplicates by a key, and undoes each by another", async () => {
    const { page, troubles } = await signedIn();
    await go(page, "inbox");
    const said = page.locator("mark", { hasText: "The access token of acme-api expires after" });
    await said.nth(1).waitFor();
    await page.keyboard.press("1");
    await page.getByText("Nothing is waiting here.").waitFor();
    await page.keyboard.press("u");
    await said.nth(1).waitFor();
    await page.keyboard.press("m");
    const merged = page.getByRole("dialog").getByRole("textbox");
    await expect.poll(() => merged.inputValue()).toContain("expires after 15 minutes");
    await merged.fill("The access token of acme-api expires after 60 minutes, for people after 15.");
    await page.getByRole("dialog").getByRole("button", { name: "Merge" }).click();
    await page.getByText("Nothing is waiting here.").waitFor();
    await page.keyboard.press("u");
    await said.nth(1).waitFor();
    await page.keyboard.press("b");
    await page.getByRole("textbox", { name: "When each of them holds" }).fill("60 minutes is for machines");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing is waiting here.").waitFor();

    await page.getByRole("tab", { name: "Near-duplicates" }).click();
    const pair = page.locator(".group", { hasText: "laky browser tests" });
    await pair.getByRole("button", { name: "Merge" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Merge" }).click();
    await pair.waitFor({ state: "detached" });
    await page.keyboard.press("u");
    await pair.waitFor();
    await pair.getByRole("button", { name: "Keep the newer" }).click();
    await pair.waitFor({ state: "detached" });

    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it("archives with a reason and restores, changes visibility, links and draws the links", async () => {
    const { page, troubles } = await app.byToken();
    await go(page, `memories/${ids[7]}`);
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByRole("textbox", { name: "Reason" }).fill("Mika has left");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Bring back" }).click();
    await page.getByText("The memory is back.").waitFor();
    await page.getByText("“Mika has left”").waitFor();

    await page.getByRole("button", { name: "Who may read this" }).click();
    await page.getByRole("radio", { name: "The team" }).check();
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("Readers: The team.").waitFor();
    expect((await ask("chest_recall", { ids: [ids[7]] })).result).toMatchObject({
      memories: [{ content: expect.stringContaining("Mika") }],
    });

    await page.getByRole("tab", { name: "Links" }).click();
    await page.getByRole("combobox", { name: "This memory" }).selectOption("elaborates");
    await page.getByPlaceholder("Number or words").fill("design tables figures");
    await page.getByRole("option", { name: /Tables use tabular figures/ }).click();
    await page.getByRole("textbox", { name: "Note" }).fill("as asked for");
    await page.getByRole("button", { name: "Add the link" }).click();
    await page.getByText("as asked for").waitFor();
    await page.getByRole("tab", { name: "Graph" }).click();
    await page.getByText("2 memories, 1 link").waitFor();
    await page.getByRole("tab", { name: "Links" }).click();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("It has no links yet.").waitFor();
    expect(troubles).toEqual([]);

    await go(page, "work");
    await page.getByRole("button", { name: "Add work" }).click();
    await page.getByRole("textbox", { name: "To be done" }).fill("Write down who reviews");
    await page.keyboard.press("Enter");
    const item = page.getByRole("listitem").filter({ hasText: "Write down who reviews" });
    await item.getByRole("button", { name: "Drop" }).click();
    await page.getByRole("textbox", { name: "Why it will not be done" }).fill("It is in the handbook");
    await page.keyboard.press("Enter");
    await item.waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Closed" }).click();
    await item.getByText("It is in the handbook").waitFor();
    await item.getByRole("button", { name: "Reopen" }).click();
    await page.getByText("Nothing has been closed yet.").waitFor();
    await ask("chest_work", { action: "add", title: "Paint the gate", project: "host/org/gate" });
    await page.getByRole("tab", { name: "Open" }).click();
    const gate = page.getByRole("listitem").filter({ hasText: "Paint the gate" });
    await gate.getByText("host/org/gate").waitFor();
    await page.context().close();
  });

  it("shows the nearest memories with their text where no result matches", async () => {
    const { page, troubles } = await signedIn();
    await go(page, `search?q=${encodeURIComponent(UNANSWERED)}`);
    await page.getByText("Nothing was found; the nearest").waitFor();
    await page.getByText("Mika wants small pull requests").waitFor();
    await page.getByText("0 memories").waitFor();
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it("understands words for times, and says which time it used", async () => {
    const { page, troubles } = await signedIn(undefined, { locale: "ja-JP", timezoneId: "Asia/Tokyo" });
    await go(page, "search");
    await page.locator("[data-hit]").first().waitFor();
    await page.locator(".filters button[aria-haspopup=dialog]").click();
    await page.locator("input[list=times-until]").fill("先月");
    await page.keyboard.press("Enter");
    await page.getByText(/\d{4}-\d\d-\d\d 23:59 \(Asia\/Tokyo\)/).waitFor();
    expect(await page.locator("[data-hit]").count()).toBe(0);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it("filters by properties of memories, with and without words, and keeps that in the address", async () => {
    const { page, troubles } = await signedIn();
    await go(page, "search?tag=money");
    await page.getByText("2 memories").waitFor();
    await page.getByRole("button", { name: /^Filters/ }).click();
    await page.getByRole("combobox", { name: "Kind" }).fill("pit");
    await page.getByRole("option", { name: /^Pitfall \(\d+\)$/ }).click();
    await page.getByText("1 memory").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("searchbox").fill("invoices rounded");
    await page.getByText("0 memories").waitFor();
    expect(page.url()).toContain("layer=realize");
    await page.getByRole("button", { name: "Clear the filters", exact: true }).click();
    await page.getByText("Invoices are rounded per line").waitFor();
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it("offers a member that may only read nothing to change, and says which right a page needs", async () => {
    await admin().addMember({ name: "rea" });
    const { token } = await admin().createToken({ member: "rea", scopes: ["read"] });
    const { page } = await openPage(browser);
    await page.goto(backend.url);
    await page.getByRole("textbox", { name: "Token" }).fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation").waitFor();
    await go(page, `memories/${ids[0]}`);
    await page.getByRole("tab", { name: "History" }).waitFor();
    expect(await page.getByRole("button", { name: /^(Edit|Archive|Delete for good)$/ }).count()).toBe(0);
    await go(page, "inbox?tab=flagged");
    await page.locator(".group").first().waitFor();
    expect(await page.locator(".group").getByRole("button").count()).toBe(0);
    await go(page, "health");
    await page.getByText("Your sign-in lacks the right").first().waitFor();
    await page.context().close();
  });

  it("says that the backend is away, resumes with it, and reports another release", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "chest-restart-"));
    const first = await startBackend({ dataDir });
    const { page } = await openPage(browser);
    await page.goto(first.url);
    await page.getByRole("textbox", { name: "Token" }).fill(first.token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation").waitFor();
    await page.goto(`${first.url}/#/activity`);
    await page.getByText("Live").waitFor();
    await first.stop();
    await page.locator("output.offline").waitFor();

    await page.route("**/api/sign-in", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), server_version: "98.7.6" } });
    });
    const port = Number(new URL(first.url).port);
    const again = await startBackend({ dataDir, token: first.token, port });
    await page.getByText("The backend was updated.").waitFor();
    await page.locator("output.offline").waitFor({ state: "detached" });

    // Files of the older release no longer exist, so the page reloads itself instead of hanging.
    let loads = 0;
    page.on("load", () => {
      loads += 1;
    });
    await page.route(/insight-.*\.js/, (route) => route.fulfill({ status: 404 }), { times: 1 });
    await page.getByRole("link", { name: "Insight" }).click();
    await page.getByRole("heading", { name: "Insight" }).waitFor();
    expect(loads).toBe(1);
    await page.context().close();
    await again.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("stays on the chosen page while the first page of an empty store is still loading", async () => {
    const empty = await startBackend();
    const { page } = await openPage(browser);
    const stats = Promise.withResolvers<void>();
    const script = Promise.withResolvers<void>();
    await page.route(/api\/resources\?/, (route) => stats.promise.then(() => route.continue()));
    await page.route(/activity-.*\.js/, (route) => script.promise.then(() => route.continue()));
    await page.goto(empty.url);
    await page.getByRole("textbox", { name: "Token" }).fill(empty.token);
    const asked = page.waitForRequest(/api\/resources\?/);
    await page.getByRole("button", { name: "Sign in" }).click();
    await asked;
    await page.getByRole("link", { name: "Activity" }).click();
    const answered = page.waitForResponse(/api\/resources\?/);
    stats.resolve();
    await (await answered).finished();
    script.resolve();
    await page.getByRole("heading", { name: "Activity" }).waitFor();
    await page.getByText("Live").waitFor();
    await page.context().close();
    await empty.stop();
  });

  it("shows a million characters in part, and nothing beside them moves", async () => {
    const long = `${"\u202eevil ".repeat(10)}${"word ".repeat(199_000)}`;
    const { result } = await ask("chest_remember", {
      ...{ entity_name: "long", entity_kind: "concept", layer: "learning", visibility: "team", content: long },
    });
    const { page } = await signedIn(undefined, { viewport: { width: 390, height: 844 } });
    await go(page, `memories/${result.memory_id}`);
    await page.getByText(/^The first part of/).waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.context().close();
  });

  it("breaks lines of text after at most 80 letters, wherever a memory stands", async () => {
    const content =
      "Deploys of the till go through the amber cluster since the outage of last autumn, because the other cluster has no database that could take over when the first one fails at night.";
    const { result } = await app.ask("chest_remember", {
      content,
      entity_name: "amber till",
      entity_kind: "concept",
    });
    const { page } = await app.byToken();
    for (const route of ["search", "entities/amber%20till", "activity", `memories/${result.memory_id}`]) {
      await app.go(page, route);
      let lines: readonly number[] = [];
      await expect
        .poll(
          async () => {
            lines = (await page.evaluate(linesOf(content.slice(0, 60)))) as readonly number[];
            return lines.length;
          },
          { message: route },
        )
        .toBeGreaterThan(1);
      expect(Math.max(...lines), route).toBeLessThanOrEqual(80);
      expect(Math.max(...lines), route).toBeGreaterThan(60);
    }
    await page.context().close();
  });

  it("loads at most 200 KB of compressed script before the first page", async () => {
    const { page } = await openPage(browser);
    const sizes: Promise<number>[] = [];
    page.on("response", (response) => {
      if (response.url().endsWith(".js"))
        sizes.push(
          response
            .request()
            .sizes()
            .then((size) => size.responseBodySize),
        );
    });
    await page.goto(backend.url);
    await page.getByRole("textbox", { name: "Token" }).waitFor();

    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThan(200_000);
    await page.context().close();
  });

  it("works by the keyboard alone", async () => {
    const { page } = await signedIn();
    await go(page, "search");
    await page.locator("[data-hit]").first().waitFor();
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Go to a page").fill("subj");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Subjects" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("invoices rounded");
    await page.waitForURL(/q=invoices/);
    await page.getByText(/^by words/).waitFor();
    await page.getByRole("region", { name: "Search" }).focus();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");

    await page.locator(".memory-title").waitFor();
    await page.context().close();
  });

  const NARROW_AND_DARK = ["dark", { width: 390, height: 844 }] as const;
  const WIDE_AND_LIGHT = ["light", { width: 1360, height: 850 }] as const;
  it.each(inShort([NARROW_AND_DARK], [NARROW_AND_DARK, WIDE_AND_LIGHT]))(
    "opens again on every route, accessible, within its window and without an error, in %s",
    async (colorScheme, viewport) => {
      const { page, troubles } = await signedIn(undefined, { colorScheme, viewport });
      const findings: string[] = [];
      const titles = new Set<string>();
      for (const route of [...ROUTES, `memories/${ids[1]}`]) {
        await go(page, route);
        await page.reload();
        await page.locator("nav").waitFor({ state: "attached" });
        await page.waitForLoadState("load");
        await page.locator("main h1, main input").first().waitFor();
        titles.add(await page.title());
        if ((await overflow(page)) > 0) findings.push(`${route}: wider than the window`);
        findings.push(...(await seriousFindings(page)).map((finding) => `${route}: ${finding}`));
      }
      expect(findings).toEqual([]);
      expect(troubles).toEqual([]);
      expect([...titles]).toEqual(expect.arrayContaining(["Search · Chest", "Inbox · Chest", "acme-api · Chest"]));
      expect(titles).not.toContain("Chest");
      await page.context().close();
    },
    // The test checks thirty pages with axe, which takes long.
    300_000,
  );

  it("keeps a long name of a project and of an entity within a narrow window", async () => {
    const project = `github.com/acme/${"a-service-with-a-long-name-".repeat(3)}`;
    const content = "The name above is longer than a phone is wide.";
    const about = { entity_name: "averylongname".repeat(9), entity_kind: "other", layer: "context" };
    await ask("chest_remember", { ...about, content, project });
    const { page } = await signedIn(undefined, { viewport: { width: 390, height: 844 } });

    await go(page, "insight");
    await page.getByText("a-service-with-a-long-name").first().waitFor();
    expect(await overflow(page)).toBe(0);

    await go(page, "entities");
    const table = page.locator(".scroll-x");
    await table.getByText("averylongname").waitFor();
    expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await page.context().close();
  });

  it.skipIf(!hasNginx)("works behind TLS and a prefix, with a cookie for that prefix only", async () => {
    const dir = await mkdtemp(join(tmpdir(), "chest-page-"));
    const proxy = await startTlsProxy({ upstream: backend.url, dir });
    const { page, troubles } = await openPage(browser, { ignoreHTTPSErrors: true });
    await page.goto(`${proxy.url}/`);
    await page.getByRole("textbox", { name: "Token" }).fill(backend.token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "What is new" }).waitFor();

    expect(await page.context().cookies(`${proxy.url}/`)).toMatchObject([
      { name: "chest_session", path: "/chest-memory/", secure: true, httpOnly: true, sameSite: "Lax" },
    ]);
    expect(troubles).toEqual([]);
    await page.context().close();
    await proxy.stop();
    await rm(dir, { recursive: true, force: true });
  });
});

/** Letters of each line in which the page breaks the first text in a paragraph or link that begins so. */
const linesOf = (beginning: string): string => `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.data.startsWith(${JSON.stringify(beginning)}) || node.parentElement.closest("h1")) continue;
    const lines = new Map();
    const range = document.createRange();
    for (let at = 0; at < node.length; at++) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const top = Math.round(range.getBoundingClientRect().top);
      lines.set(top, (lines.get(top) ?? 0) + 1);
    }
    // The rest of a text that is cut after two lines has no place of its own.
    return [...lines.values()].slice(0, 2);
  }
  return [];
})()`;
