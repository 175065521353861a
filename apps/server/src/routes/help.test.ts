import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { openApp } from "../testing/app.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-help-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("says how to build the documentation, and serves it as soon as it is built", async () => {
  const { app } = await openApp({}, { helpDir: folder });
  const early = [await app.inject("/help"), await app.inject("/help/")];
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "index.html"), "<h1>Chest</h1>");
  writeFileSync(join(folder, "setup.html"), "<h1>Connect</h1>");
  writeFileSync(join(folder, "assets/app.1a2b.js"), "1");
  const [short, front, page, script] = [
    await app.inject("/help"),
    await app.inject("/help/"),
    await app.inject("/help/setup.html"),
    await app.inject("/help/assets/app.1a2b.js"),
  ];

  for (const { statusCode, payload } of early) {
    expect(statusCode).toBe(404);
    expect(payload).toContain("npm run docs");
  }
  // The link is relative, so a proxy's path prefix is kept.
  expect([short.statusCode, short.headers.location]).toEqual([308, "help/"]);
  expect([front.payload, page.payload]).toEqual(["<h1>Chest</h1>", "<h1>Connect</h1>"]);
  expect(page.headers["cache-control"]).toBe("no-cache");
  expect(script.headers["cache-control"]).toContain("immutable");
  expect(page.headers["content-security-policy"]).toMatch(/default-src 'none'.*script-src 'self';/);
});

it("answers HEAD and a conditional request, and serves nothing outside its folder", async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.html"), "<h1>Chest</h1>");
  const { app } = await openApp({}, { helpDir: folder });
  const { headers } = await app.inject("/help/index.html");
  const head = await app.inject({ method: "HEAD", url: "/help/" });
  const again = await app.inject({ url: "/help/index.html", headers: { "if-none-match": String(headers.etag) } });

  expect([head.statusCode, head.payload, head.headers["content-type"]]).toEqual([200, "", "text/html; charset=utf-8"]);
  expect(again.statusCode).toBe(304);
  for (const url of ["/help/none.html", "/help/../package.json", "/help/%2e%2e/package.json", "/help/assets/"]) {
    const { statusCode, headers: given } = await app.inject(url);
    expect([url, statusCode, given["content-type"]]).toEqual([url, 404, "application/json; charset=utf-8"]);
  }
});
