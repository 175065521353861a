import { ERRORS } from "@chest/contracts";
import { TOOLS } from "@chest/core/tools";
import { markdownTable } from "@chest/mcp-server/testing";
import { expect, it } from "vitest";
import { openApp } from "../testing/app.ts";

type Operation = Readonly<Record<string, unknown>>;

/** A tool's title must not merely repeat its name. */
const purposeOf = ({ tags, summary, description }: Operation) =>
  (tags as string[]).includes("tools")
    ? String(description)
        .split(/(?<=\.) /, 1)[0]
        ?.slice(0, -1)
    : summary;

async function readDocument() {
  const { app } = await openApp();
  const response = await app.inject("/openapi.json");
  return { app, document: response.json(), response };
}

it("is OpenAPI 3.1 with a path for every tool, its arguments and its answer", async () => {
  const { document } = await readDocument();

  expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Chest", version: "1.6.0" } });
  for (const { name, input, output } of TOOLS) {
    const { post } = document.paths[`/api/tools/${name}`];
    const body = post.requestBody.content["application/json"].schema;
    const { result } = post.responses["200"].content["application/json"].schema.properties;
    expect(Object.keys(body.properties)).toEqual(Object.keys(input.shape));
    expect(body.additionalProperties).toEqual({});
    expect(Object.keys(result.properties)).toEqual(Object.keys(output.shape));
    expect(post.responses.default.content["application/json"].schema.properties).toHaveProperty("error");
  }
});

it("explains every error code to the caller", async () => {
  const { document } = await readDocument();

  expect(document.info.description).toContain("| `RATE_LIMITED` | 429 | after-delay |");
});

it("names only existing things", async () => {
  const { app, document } = await readDocument();
  for (const [url, operations] of Object.entries(document.paths as Record<string, object>)) {
    for (const method of Object.keys(operations)) {
      const route = url.replace(/\{(\w+)\}/g, ":$1");
      expect(app.hasRoute({ method: method.toUpperCase() as "GET", url: route })).toBe(true);
    }
  }
});

it("says for every tool, and for MCP, where a caller states its project and its session", async () => {
  const { document } = await readDocument();
  const headersOf = (path: string, method: "get" | "post" = "post"): string[] =>
    document.paths[path][method].parameters.flatMap((each: Operation) => (each.in === "header" ? each.name : []));
  for (const path of ["/mcp", ...TOOLS.map(({ name }) => `/api/tools/${name}`)])
    expect(headersOf(path), path).toEqual(expect.arrayContaining(["X-Chest-Project", "X-Chest-Session"]));
  expect(headersOf("/api/resources", "get")).toEqual(["X-Chest-Project", "X-Chest-Session"]);
  expect(headersOf("/api/hooks/prompt")).toEqual(["X-Chest-Project"]);
  expect(headersOf("/api/hooks/sync-session")).toEqual(expect.arrayContaining(["X-Chest-Project", "Idempotency-Key"]));
});

it("has a page that requests its own files only", async () => {
  const { app } = await readDocument();
  const page = await app.inject("/docs");
  const script = await app.inject("/docs/page.js");

  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(page.payload).not.toMatch(/https?:/);
  expect(page.headers["content-security-policy"]).toContain("script-src 'self'");
  expect(script.statusCode).toBe(200);
  expect(script.headers["content-type"]).toBe("text/javascript; charset=utf-8");
  expect(script.rawPayload.length).toBeGreaterThan(1_000_000);
  expect(script.headers["content-security-policy"]).toContain("default-src 'none'");
  expect(script.headers["content-security-policy"]).not.toContain("script-src");
});

it("is absent with CHEST_DOCS=0", async () => {
  const { app } = await openApp({ CHEST_DOCS: "0" });
  for (const url of ["/openapi.json", "/docs", "/docs/page.js", "/help", "/help/"]) {
    const { statusCode, headers } = await app.inject(url);
    expect([statusCode, headers["content-type"]]).toEqual([404, expect.stringContaining("json")]);
  }
});

it("matches docs/endpoints.md", async () => {
  const { document } = await readDocument();
  const rows = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => {
        const limit = operation["x-body-limit"];
        const facts = [operation["x-scope"], limit ?? "", operation["x-repeat"] ?? "", purposeOf(operation)];
        return [`${method.toUpperCase()} \`${path}\``, ...facts.map(String)];
      }),
  );
  const codes = Object.entries(ERRORS).map(([code, { status, retry }]) => [`\`${code}\``, String(status), retry]);
  const page = [
    "# Endpoints",
    "",
    "Generated from the routes. Every route but the open ones wants `Authorization: Bearer …` with this scope.",
    "",
    ...markdownTable(["Route", "Scope", "Body, bytes", "Repeat", ""], rows),
    "",
    "Tools, `/mcp`, resources and hooks take `X-Chest-Project`: the key of the project that the agent works in, like",
    "`host/org/repo`, percent-encoded. Its caller reads that project, the team's and its own, and writes into that project.",
    "Without it a caller reads every project that it may open, and what it writes is the team's unless it says otherwise.",
    "",
    "Tools and `/mcp` take `X-Chest-Session`: 1 to 128 visible ASCII characters that mean nothing, another for each session of",
    "an agent. What is stored one after the other in a session is found together, and a `project` that a write of it names is",
    "the session's from then on, where calls state none. Without it the calls of one client (its member, and what",
    "`X-Chest-Client` or else `User-Agent` says) are one session until it pauses for 30 minutes, and no project is remembered.",
    "",
    "A write takes an `Idempotency-Key`: 1 to 255 visible ASCII characters, one UUID for each intended write, kept for",
    "32 days. What a repeat under it comes to: `replayed` is the first answer again, with `Idempotency-Replayed: true`;",
    "`told` is `ALREADY_DONE`, since the answer holds what is shown once; `harmless` is done again, to the same end. Where",
    "there is a first answer, another request under its key, or the same of another project, is `IDEMPOTENCY_MISMATCH`. A",
    "failure is not kept. A repeat by a token or a member that what was done is closed to by now is `NOT_FOUND`.",
    "",
    "At `/mcp` a tool wants its own scope; resources, prompts and completions want `read`. At most 16 questions to the human",
    "wait there for each token, or for each address that uses the shared one; a call that would ask one more is refused with",
    "429. The answer to a question comes with a token that could make the call itself, and nothing is done once the token that",
    "asked has ended.",
    "",
    'Failures have one envelope: `{ "ok": false, "error": { "code", "message", "hint"?, "details"? } }`.',
    "",
    ...markdownTable(["Code", "Status", "May be sent again"], codes),
    "",
  ];

  await expect(page.join("\n")).toMatchFileSnapshot("../../docs/endpoints.md");
});
