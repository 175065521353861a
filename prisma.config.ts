import { defineConfig } from "prisma/config";

const url = process.env.DATABASE_URL;
// `DATABASE_URL=file:/path/chest.db npx prisma migrate status` compares a store with the migrations of this release.
const isMigrating = process.argv.includes("migrate") && url !== undefined;
const engine = isMigrating && /^postgres(ql)?:/.test(url) ? "postgres" : "sqlite";

// Generating needs no engine, but asks for one and would download it: any executable satisfies the question.
if (!isMigrating) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({
  schema: `prisma/${engine}/schema.prisma`,
  ...(isMigrating ? { datasource: { url } } : {}),
});
