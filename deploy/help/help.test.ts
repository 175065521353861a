import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { anchorOf, linksOf, withSiteLinks } from "./links.ts";
import { movablePage, movableProgram } from "./movable.ts";
import { DOCUMENTS, pageOf, titleOf } from "./pages.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const anchorsOf = (file: string): string[] =>
  [...read(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));

describe("the documents of the site", () => {
  it("are every guide, once, each with a title and a page of its own", () => {
    const guides = ["docs", "docs/design"].flatMap((folder) =>
      readdirSync(join(ROOT, folder))
        .filter((name) => name.endsWith(".md"))
        .map((name) => `${folder}/${name}`),
    );
    expect(DOCUMENTS).toEqual(expect.arrayContaining(guides));
    expect(new Set(DOCUMENTS.map(pageOf)).size).toBe(DOCUMENTS.length);
    expect(DOCUMENTS.filter((document) => titleOf(read(document)) === "")).toEqual([]);
  });

  it.each(DOCUMENTS)("link to files and headings that exist: %s", (document) => {
    for (const link of linksOf(read(document))) {
      const [path = "", anchor] = link.split("#");
      const file = path === "" ? document : posix.join(dirname(document), path);
      expect([link, existsSync(join(ROOT, file))]).toEqual([link, true]);
      if (anchor !== undefined && file.endsWith(".md"))
        expect([link, anchorsOf(file)]).toEqual([link, expect.arrayContaining([anchor])]);
    }
  });
});

it.each([
  ["[a](setup.md#undo-it)", "[a](./setup.md#undo-it)"],
  ["[a](../apps/server/docs/configuration.md)", "[a](./configuration.md)"],
  ["[a](design/mcp.md) and [b](../README.md)", "[a](./design-mcp.md) and [b](./index.md)"],
  ["![a](images/consent.png)", "![a](./images/consent.png)"],
  ["[a](https://example.org/x.md)", "[a](https://example.org/x.md)"],
  ["[a](#here)", "[a](#here)"],
  ["[`a`](../deploy/nginx/render.ts)", "`a`"],
  ["```sh\n[a](setup.md)\n```\n[b](setup.md)", "```sh\n[a](setup.md)\n```\n[b](./setup.md)"],
])("leads from page to page: %s", (given, made) => {
  expect(withSiteLinks("docs/members.md", given)).toBe(made);
});

it("works at any address: links are relative, programs read where they are", () => {
  const programs = new Set<string>();
  const page = movablePage(
    `<head><script id="a">one()</script><link href="/chest-help-base/a.css"></head><a href="/chest-help-base/">x</a>`,
    "start.js",
    programs,
  );
  expect(page.replace(/\s+/g, " ")).toBe(
    `<head> <script src="./start.js"></script><link href="./a.css"></head><a href="./">x</a>`,
  );
  expect([...programs]).toEqual(["one()"]);
  expect(movableProgram("assets/app.js", `return"/chest-help-base/"+x+"<img src='/chest-help-base/a.png'>"`)).toBe(
    `return(globalThis.helpBase)+x+"<img src='./a.png'>"`,
  );
  expect(movableProgram("assets/chunks/metadata.1.js", `JSON.parse("{\\"base\\":\\"/chest-help-base/\\"}")`)).toBe(
    `JSON.parse("{\\"base\\":\\""+(globalThis.helpBase)+"\\"}")`,
  );
});
