import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { postgresSchema } from "./postgres-schema.ts";

const PRISMA = join(import.meta.dirname, "../../../../prisma");

it("has a schema for PostgreSQL that follows from the one for SQLite", async () => {
  const schema = readFileSync(join(PRISMA, "sqlite/schema.prisma"), "utf8");
  await expect(postgresSchema(schema)).toMatchFileSnapshot(join(PRISMA, "postgres/schema.prisma"));
});
