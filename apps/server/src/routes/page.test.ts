import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { openApp } from "../testing/app.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-page-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

it("says that the page is being built, and shows it as soon as it is", async () => {
  const { app } = await openApp({}, { pageDir: folder });
  const early = await app.inject({ url: "/", headers: browser });
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(
    join(folder, "index.html"),
    `<link rel="stylesheet" href="./assets/a.css"><script src="./assets/a.js"></script>`,
  );
  writeFileSync(join(folder, "assets/a.js"), "1");
  writeFileSync(join(folder, "icon.svg"), "<svg/>");
  const [first, second] = [
    await app.inject({ url: "/", headers: browser }),
    await app.inject({ url: "/", headers: browser }),
  ];
  const script = await app.inject("/assets/a.js");

  expect([early.statusCode, early.headers["retry-after"]]).toEqual([503, "2"]);
  const policy = String(first.headers["content-security-policy"]);
  const [, nonce = "none"] = /'nonce-([^']+)'/.exec(policy) ?? [];
  expect(first.payload).toContain(`<script nonce="${nonce}" src="./assets/a.js">`);
  expect(policy).toMatch(/default-src 'none'.*script-src 'self' 'nonce-/);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(second.payload).not.toContain(nonce);
  expect(script.headers["cache-control"]).toContain("immutable");
  expect((await app.inject("/icon.svg")).headers["content-type"]).toContain("image/svg");
  expect((await app.inject("/assets/../index.html")).statusCode).toBe(404);
});

it("tells the page whether the browser has a sign-in, so that a browser without one sends no request to be refused", async () => {
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "index.html"), `<!doctype html><html lang="en"></html>`);
  const { app } = await openApp({}, { pageDir: folder });
  const [out, signedIn] = [
    await app.inject({ url: "/", headers: browser }),
    await app.inject({ url: "/", headers: { ...browser, cookie: "a=b; chest_session=chs_1" } }),
  ];

  expect(out.payload).toContain(`<html lang="en">`);
  expect(signedIn.payload).toContain(`<html data-session lang="en">`);
});

it("lists addresses to programs that are no browser", async () => {
  const { app } = await openApp({}, { pageDir: folder });
  const { headers, payload } = await app.inject("/");

  expect(headers["content-type"]).toContain("application/json");
  expect(JSON.parse(payload)).toMatchObject({ ok: true, name: "chest", mcp: "mcp" });
});
