import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import type { FastifyStaticOptions } from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import { OWN_FILES, securityHeaders } from "../plugins/security.ts";
import { serveFiles } from "./page.ts";

const YEAR_S = 365 * 86_400;
const HEADERS = securityHeaders({
  ...OWN_FILES,
  scriptSrc: ["'self'"],
  // Highlighted code has inline styles.
  styleSrc: ["'self'", "'unsafe-inline'"],
});

// Building the documentation needs 120 MB of packages, so a clone may not have it.
const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Chest</title></head>
<body><p>This backend was started from a clone, where the documentation is not built.</p>
<p>Read it in the folder <code>docs</code> of the clone, or run <code>npm run docs</code> there and load this page again.</p></body>
</html>
`;

/** Serves the built documentation under `/help`. Its links are relative, so it works behind a path prefix. */
export async function helpRoutes(app: FastifyInstance, { folder }: { readonly folder: string }): Promise<void> {
  const isBuilt = () => existsSync(join(folder, "index.html"));
  const sayHowToBuild = (reply: FastifyReply) =>
    reply
      .code(404)
      .headers({ ...HEADERS, "cache-control": "no-store" })
      .type("text/html; charset=utf-8")
      .send(NOT_BUILT);

  app.get(
    "/help",
    {
      config: { access: "open" },
      schema: {
        summary: "The documentation, to read and search",
        tags: ["documentation"],
        security: [],
        "x-scope": "open",
      },
    },
    async (_request, reply) => (isBuilt() ? reply.redirect("help/", 308) : sayHowToBuild(reply)),
  );

  const documents: FastifyStaticOptions = {
    root: folder,
    prefix: "/help/",
    redirect: false,
    index: false,
    cacheControl: false,
    setHeaders(reply, path) {
      // A file whose name contains a digest of its content never changes; browsers check all others again.
      const isNamedByContent = path.startsWith(join(folder, "assets") + sep);
      const cacheControl = isNamedByContent ? `public, max-age=${YEAR_S}, immutable` : "no-cache";
      reply.headers({ ...HEADERS, "cache-control": cacheControl });
    },
  };
  await serveFiles(app, documents, (files) => {
    files.get("/help/", { schema: { hide: true } }, (_request, reply) =>
      isBuilt() ? reply.sendFile("index.html") : sayHowToBuild(reply),
    );
  });
}
