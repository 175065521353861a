import { defineConfig } from "prisma/config";

// Generating needs no engine, but asks for one and would download it: any executable satisfies the question.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: "prisma/sqlite/schema.prisma" });
