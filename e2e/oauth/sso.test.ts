import { openIdentityProvider } from "@chest/server/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { freePort } from "../support/free-port.ts";
import { ensurePageIsBuilt, hasChromium, openBrowser, openPage } from "../support/page/browser.ts";
import { seriousFindings } from "../support/page/serious-findings.ts";

describe.skipIf(!hasChromium)("the button of the company's account, in a browser", () => {
  let backend: Backend;
  let browser: Browser;
  let provider: Awaited<ReturnType<typeof openIdentityProvider>>;
  beforeAll(async () => {
    ensurePageIsBuilt();
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    provider = await openIdentityProvider(`${base}/api/sso/callback`);
    backend = await startBackend({
      port,
      env: {
        ...{ CHEST_PUBLIC_URL: base, CHEST_SYNC_EMBED: "0", CHEST_OIDC_ISSUER: provider.issuer },
        ...{ CHEST_OIDC_CLIENT_ID: "chest", CHEST_OIDC_CLIENT_SECRET: "a-secret" },
        CHEST_OIDC_ALLOWED_DOMAINS: "acme.example",
      },
    });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    provider.close();
    await backend.stop();
  });

  it("signs a member in at the page it was going to, and says why it lets no one else in", async () => {
    const { page } = await openPage(browser);
    const button = page.getByRole("link", { name: "Sign in with your company's account" });
    provider.be({ sub: "e-1", email: "eve@evil.example", email_verified: true });
    await page.goto(`${backend.url}/#/people`);
    await button.click();
    await page.getByRole("alert").waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    provider.be({ sub: "a-1", email: "alice@acme.example", email_verified: true });
    await page.goto(`${backend.url}/#/people`);
    await button.click();
    await page.getByRole("navigation").waitFor();
    expect(new URL(page.url()).hash).toBe("#/people");
    const known = await page.evaluate(async () => (await fetch("api/sign-in")).json());
    expect(known).toMatchObject({ member: "alice@acme.example" });
    await page.context().close();
  });
});
