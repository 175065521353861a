import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { RELEASE } from "@chest/runtime";
import fastifyStatic, { type FastifyStaticOptions } from "@fastify/static";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from "fastify";
import { cookieOf } from "../plugins/browser.ts";
import { OWN_FILES, securityHeaders } from "../plugins/security.ts";

const YEAR_S = 365 * 86_400;
const NO_NONCE = "@nonce@";
const SIGNED_IN = "<html data-session";
const HEADERS = securityHeaders({
  ...OWN_FILES,
  // Scripts and styles that load later are files of this backend; those inside the document carry the nonce.
  scriptSrc: ["'self'", `'nonce-${NO_NONCE}'`],
  styleSrc: ["'self'", `'nonce-${NO_NONCE}'`],
});
const POLICY = "content-security-policy";

/** Answer for programs that request the plain address. Its links are relative, so they work behind a path prefix. */
const SIGNPOST = {
  ok: true,
  name: "chest",
  server_version: RELEASE,
  mcp: "mcp",
  openapi: "openapi.json",
  docs: "docs",
  help: "help",
  health: "healthz",
  page: "./",
};

// In a clone the page is built after the start, so the browser reloads until it is ready.
const NOT_YET = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Chest</title></head>
<body><p>Chest is running. Its page is being built, which takes a few seconds; it will open here.</p>
<p>If it does not: <code>npm run page</code> builds it and says what is wrong.</p></body>
</html>
`;

/** Serves the page at `/` to browsers, with its files; other programs get a list of addresses. */
export async function pageRoutes(app: FastifyInstance, { folder }: { readonly folder: string }): Promise<void> {
  let shell: Shell | undefined;

  app.get(
    "/",
    {
      config: { access: "open" },
      schema: {
        summary: "The page for browsers, a signpost for others",
        tags: ["documentation"],
        security: [],
        "x-scope": "open",
      },
    },
    async (request, reply) => {
      reply.header("vary", "accept").header("cache-control", "no-store");
      if (!request.headers.accept?.includes("text/html")) return SIGNPOST;
      shell = await readShell(folder, shell);
      if (!shell) return sendHtml(reply.code(503).header("retry-after", "2"), NOT_YET);
      // Without a cookie the browser does not ask who is signed in, since that request would be refused and logged.
      return sendHtml(reply, cookieOf(request) === undefined ? shell.html : shell.html.replace("<html", SIGNED_IN));
    },
  );

  const assets = {
    root: join(folder, "assets"),
    prefix: "/assets/",
    preCompressed: true,
    immutable: true,
    maxAge: YEAR_S * 1000,
    index: false,
  } as const;
  await serveFiles(app, assets, (files) => {
    files.get("/icon.svg", { schema: { hide: true } }, (_request, reply) =>
      reply.sendFile("icon.svg", folder, { maxAge: 3_600_000, immutable: false }),
    );
  });
}

/** Serves the files of a folder, and what `add` adds to them, without a token. */
export async function serveFiles(
  app: FastifyInstance,
  options: FastifyStaticOptions,
  add: (files: FastifyInstance) => void,
): Promise<void> {
  const served: FastifyPluginAsync = async (files) => {
    files.addHook("onRoute", (route) => {
      route.config = { ...route.config, access: "open" };
    });
    await files.register(fastifyStatic, options);
    add(files);
  };
  await app.register(served);
}

interface Shell {
  readonly html: string;
  readonly builtAtMs: number;
}

/** Reads the built document again when it has changed; undefined while it has not been built. */
async function readShell(folder: string, known: Shell | undefined): Promise<Shell | undefined> {
  const file = join(folder, "index.html");
  const builtAtMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (builtAtMs === undefined || builtAtMs === known?.builtAtMs) return builtAtMs === undefined ? undefined : known;
  const html = await readFile(file, "utf8");
  return {
    builtAtMs,
    html: html.replace(/<(script|style|link rel="stylesheet"|link rel="modulepreload")\b/g, `<$1 nonce="${NO_NONCE}"`),
  };
}

function sendHtml(reply: FastifyReply, html: string): FastifyReply {
  const nonce = randomBytes(16).toString("base64url");
  return reply
    .headers({ ...HEADERS, [POLICY]: (HEADERS[POLICY] ?? "").replaceAll(NO_NONCE, nonce) })
    .type("text/html; charset=utf-8")
    .send(html.replaceAll(NO_NONCE, nonce));
}
