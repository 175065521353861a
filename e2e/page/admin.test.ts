import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer, FIXTURE_ENV, fixtureModels, type Hub, startHub } from "@chest/models/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBackend } from "../support/backend.ts";
import { hasChromium, openPage } from "../support/page/browser.ts";
import { openPageFixture, type PageFixture } from "../support/page/fixture.ts";

const MODEL = FIXTURE_ENV.CHEST_EMBED_MODEL;

describe.skipIf(!hasChromium)("the page, for admins and operators", () => {
  let app: PageFixture;
  let hub: Hub;
  let modelsDir: string;
  let receiver: Server;
  const delivered: string[] = [];
  beforeAll(async () => {
    hub = await startHub(await fixtureModels());
    modelsDir = await mkdtemp(join(tmpdir(), "chest-page-models-"));
    receiver = createServer((request, response) => {
      delivered.push(String(request.headers["webhook-id"]));
      request.resume().on("end", () => response.end());
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    app = await openPageFixture({
      ...FIXTURE_ENV,
      ...{ CHEST_MODELS_DIR: modelsDir, HF_ENDPOINT: hub.url },
      ...{ CHEST_REVIEW: "1", CHEST_ALLOW_PRIVATE_ADDRESSES: "1" },
    });
  });
  afterAll(async () => {
    await app.close();
    await hub.stop();
    receiver.close();
    await rm(modelsDir, { recursive: true, force: true });
  });

  // Runs before a model exists: with vectors, maintenance would archive one of the two.
  it("marks near-duplicates as two things by a key, and undoes it by another", async () => {
    const { page } = await app.byToken();
    await app.go(page, "inbox?tab=duplicates");
    const pair = page.locator(".group", { hasText: "laky browser tests" });
    await pair.waitFor();
    while ((await pair.getAttribute("data-active")) === null) await page.keyboard.press("j");
    await page.keyboard.press("d");
    await pair.waitFor({ state: "detached" });
    await page.keyboard.press("u");
    await pair.waitFor();
    await page.context().close();
  });

  it("downloads a model, says why a download fails, and shows that the model is there", async () => {
    const { page, troubles } = await app.signedIn();
    hub.next("config.json", answer(404));
    await app.go(page, "health");
    const model = page.locator(".model", { hasText: MODEL });
    await model.getByText("is not here").waitFor();
    const fetchIt = async () => {
      await model.getByRole("button", { name: `Fetch ${MODEL}` }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Fetch" }).click();
    };
    await fetchIt();
    await model.getByRole("alert").getByText("404").waitFor();

    await fetchIt();
    await model.getByText("is here").waitFor();
    expect(await model.getByRole("button").count()).toBe(0);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it("says that embedding is off where it is", async () => {
    const backend = await startBackend({ env: { CHEST_EMBED_MODEL: "none" } });
    const { page } = await openPage(app.browser);
    await page.goto(backend.url);
    await page.getByRole("textbox", { name: "Token" }).fill(backend.token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "Health" }).click();
    await page.getByText("This backend makes no vectors").waitFor();
    await page.locator(".model").getByText("Embedding is off on this backend").waitFor();
    expect(await page.getByText("own table").count()).toBe(0);
    await page.context().close();
    await backend.stop();
  });

  it("adds a webhook, shows its secret once, tries it and removes it", async () => {
    const { page, troubles } = await app.signedIn();
    await app.go(page, "people?tab=webhooks");
    await page.getByText("There are no webhooks yet.").waitFor();
    await page.getByRole("button", { name: "Add a webhook" }).click();
    const dialog = page.getByRole("dialog");
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/told`;
    await dialog.getByRole("textbox", { name: "Address" }).fill(url);
    await dialog.getByRole("button", { name: "Add a webhook" }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    await page.keyboard.press("Escape");
    const row = page.getByRole("row", { name: url });
    await row.getByText("in order").waitFor();
    expect(await page.getByText(/whsec_/).count()).toBe(0);

    await row.getByRole("button", { name: "Try" }).click();
    await page.getByText(/^A ping arrived/).waitFor();
    expect(delivered.length).toBeGreaterThan(0);
    await row.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("There are no webhooks yet.").waitFor();
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it("lets an admin approve a promotion and decline another, by a key each", async () => {
    await app.admin().addMember({ name: "rosa" });
    const { token } = await app.admin().createToken({ member: "rosa", scopes: ["read", "write"] });
    const said = ["The heron nests behind the old mill.", "Invoices of the bakery go out on Mondays."];
    const made = [];
    for (const content of said) {
      const fact = { entity_name: "field notes", entity_kind: "concept", layer: "learning", visibility: "team" };
      made.push((await app.ask("chest_remember", { ...fact, content }, token)).result.memory_id);
    }
    const { page, troubles } = await app.signedIn();
    await app.go(page, "inbox?tab=promotions");
    await page.locator(".group").nth(1).waitFor();
    await page.locator(".group", { hasText: "heron" }).getByText("Only rosa", { exact: true }).waitFor();
    await page.locator(".group", { hasText: "heron" }).getByRole("button", { name: "Show to the team" }).click();
    await page.locator(".group", { hasText: "heron" }).waitFor({ state: "detached" });
    await page.keyboard.press("n");
    await page.getByRole("textbox", { name: "Reason" }).fill("of the bakery alone");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing is waiting here.").waitFor();

    const seen = await app.ask("chest_recall", { ids: made });
    expect(seen.result).toMatchObject({ memories: [{ content: expect.stringContaining("heron") }] });
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it("begins in an empty store with a command, turns green at the first call, and finds a sample in other words", async () => {
    const fresh = await startBackend({ env: { CHEST_SYNC_EMBED: "0" } });
    const { page, troubles } = await openPage(app.browser);
    await page.goto(fresh.url);
    await page.getByRole("textbox", { name: "Token" }).fill(fresh.token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Connect an agent" }).waitFor();
    await page.getByText("Waiting for the first call").waitFor();
    await page.getByText(`setup --client claude-code --docker ${fresh.url}`).first().waitFor();

    await page.getByRole("button", { name: "Store the sample" }).click();
    await page.getByRole("button", { name: "Stored." }).waitFor();
    await page.getByRole("button", { name: "Ask for it" }).click();
    await page.getByRole("link", { name: /^Deploys go through the blue cluster/ }).waitFor();
    expect(await page.getByText("Waiting for the first call").count()).toBe(1);

    const headers = { authorization: `Bearer ${fresh.token}`, "user-agent": "codex/0.169.0" };
    await fetch(`${fresh.url}/api/work`, { headers });
    await page.getByText("An agent has called").waitFor();
    await page.getByText("codex/0.169.0").waitFor();
    expect(troubles).toEqual([]);
    await page.context().close();
    await fresh.stop();
  });

  it("shows an admin what a member sees, and limits a token to projects", async () => {
    await app.admin().addMember({ name: "nora" });
    await app.admin().setProject({ key: "github.com/acme/vault", access: "members", add: ["shared"] });
    const { page, troubles } = await app.signedIn();
    await app.go(page, "people");
    await page.getByRole("button", { name: /What nora sees/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("link", { name: "github.com/acme/api" }).waitFor();
    expect(await dialog.getByText("vault").count()).toBe(0);
    await page.keyboard.press("Escape");

    await app.go(page, "people?tab=tokens");
    await page.getByRole("button", { name: "Make a token" }).click();
    await dialog.getByRole("combobox", { name: "Member" }).fill("nora");
    await page.getByRole("option", { name: "nora" }).click();
    await dialog.getByLabel("Only these projects").first().fill("github.com/acme/api");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Make a token" }).click();
    await dialog.getByText(/^cht_/).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("row", { name: /nora/ }).getByText("github.com/acme/api").waitFor();
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it("shows which projects are closed, and which look like an older one", async () => {
    const [older, newer] = ["git.example/acme/safe", "git.example/ann/safe"];
    for (const key of [older, newer]) await app.admin().setProject({ key, access: "open" });
    await app.admin().setProject({ key: newer, access: "members", add: ["shared"] });
    const { page, troubles } = await app.signedIn();
    await app.go(page, "people?tab=projects");
    const row = page.getByRole("row", { name: new RegExp(`^${newer}`) });
    await row.getByText("Closed: only Shared token").waitFor();
    await row.getByText(`chest-index project join ${older} ${newer}`).waitFor();
    expect(
      await page
        .getByRole("row", { name: new RegExp(`^${older}`) })
        .getByText(/Closed|Looks like/)
        .count(),
    ).toBe(0);
    await row.getByRole("link", { name: newer }).click();
    await page.getByText("This project is closed. It is open to Shared token only.").waitFor();
    await app.go(page, `search?project=${encodeURIComponent(older)}`);
    await page.getByRole("search").or(page.getByRole("searchbox")).first().waitFor();
    expect(await page.getByRole("note").count()).toBe(0);
    await app.go(page, "sessions?tab=conversations");
    await page.getByRole("option", { name: `${newer} (closed)` }).waitFor({ state: "attached" });
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it("tells a member on the first page that a token ends soon, and renews it", async () => {
    await app.admin().addMember({ name: "tess" });
    const asked = { member: "tess", scopes: ["read", "write"], label: "laptop", expires: "5d" };
    const { token } = await app.admin().createToken(asked);
    const { page, troubles } = await app.byToken(token);
    await app.go(page, "");
    const line = page.getByRole("status").filter({ hasText: "Your token laptop ends soon" });
    await line.getByRole("link", { name: "Tokens" }).click();
    await page.getByRole("button", { name: "Renew" }).click();
    const secret = await page.getByRole("dialog").getByText(/^cht_/).textContent();
    await page.getByRole("dialog").getByText(`chest-index setup --docker ${app.backend.url}`).waitFor();

    const answered = await fetch(`${app.backend.url}/api/sign-in`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(await answered.json()).toMatchObject({ member: "tess", scopes: ["read", "write"] });
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it("tells a member whose rights do not include reading which right is missing, on every page", async () => {
    await app.admin().addMember({ name: "otto" });
    const { token } = await app.admin().createToken({ member: "otto", scopes: ["operate"] });
    const { page } = await app.byToken(token);
    for (const route of ["search", "inbox?tab=flagged", "entities", "work", "insight"]) {
      await app.go(page, route);
      await page.getByText("Your sign-in lacks the right `read`").first().waitFor();
    }
    await page.context().close();
  });

  it("says that a one-time link was used, and signs no one in with it", async () => {
    const link = await app.linkFor();
    const first = await openPage(app.browser);
    await first.page.goto(`${app.backend.url}/#/sign-in?link=${link}`);
    await first.page.getByRole("navigation").waitFor();
    const second = await openPage(app.browser);
    await second.page.goto(`${app.backend.url}/#/sign-in?link=${link}`);
    await second.page.getByText("This link was used before").waitFor();
    expect(await second.page.getByRole("navigation").count()).toBe(0);
    await Promise.all([first.page.context().close(), second.page.context().close()]);
  });
});
