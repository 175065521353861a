import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "tsdown";
import { bundled, ROOT } from "./shared.ts";

const MEMBER = "packages/schema-check";

// The client is a download of 71 MB, which `npm start` does without: the backend then says that it does not compare schemas.
const hasClient = existsSync(join(ROOT, MEMBER, "node_modules/@prisma/client"));

const check = defineConfig({
  ...bundled,
  entry: { "schema-check-worker": `${MEMBER}/src/worker.ts` },
  outDir: "apps/server/dist",
  target: "node24",
  outputOptions: {
    chunkFileNames: "schema-check-[name].js",
    // Each engine has a compiler, and a check loads that of one.
    codeSplitting: {
      groups: [{ name: "client", tags: ["$initial"], test: (id: string) => !id.endsWith("src/worker.ts") }],
    },
  },
  copy: ["sqlite", "postgres"].map((engine) => ({
    from: `prisma/${engine}/schema.prisma`,
    to: "apps/server/dist",
    rename: `schema-${engine}.prisma`,
  })),
});

/** Bundle of the thread that compares a database with the Prisma schema: of the backend alone, and where its packages are. */
export const schemaCheck = hasClient ? [check] : [];
