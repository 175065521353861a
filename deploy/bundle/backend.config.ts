import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "tsdown";
import { enginesApart, pageBeside, withoutCompilers, withoutUnused } from "./plugins.ts";
import { schemaCheck } from "./schema-check.ts";
import { bundled, MODELS, ROOT, refuseOldNode } from "./shared.ts";
import { threads } from "./threads.ts";

const PROGRAMS = { "chest-server": "apps/server/src/main.ts", quickstart: "apps/server/src/quickstart.ts" };
const isProgram = (id: string) => Object.values(PROGRAMS).some((source) => id === join(ROOT, source));

// Loaded when they are asked for, each by a name that says what it is.
const LATE = [
  {
    name: "mcp",
    test: /modelcontextprotocol[+\\/]sdk|(?:mcp-server[\\/]src|server[\\/]src[\\/]mcp)[\\/](?!without-sessions)/,
  },
  // Requests of MCP 2026-07-28 state their protocol and have no session.
  { name: "mcp-without-sessions", test: /without-sessions|modelcontextprotocol[+\\/](?:server|core)/ },
  { name: "docs", test: /openapi-document|@fastify[\\/]swagger|type-provider-zod|@scalar/ },
  { name: "tracing", test: /opentelemetry/ },
  // Beside its users: in the file of one engine, opening the other would load both.
  { name: "core", test: /packages[\\/](?:core|store)[\\/]src/, priority: 0.5 },
  { name: "postgres", test: /store-postgres[\\/]src|[\\/](pg(-[a-z]+)*|postgres-[a-z]+)[\\/]/ },
  { name: "sqlite", test: /store-sqlite[\\/]src/ },
  { name: "oauth", test: /oidc-provider|openid-client|oauth4webapi|[\\/](jose|koa)[\\/]|server[\\/]src[\\/]oauth/ },
];

// The OAuth server knows its own models by the names of their classes.
const NAMES = { keepNames: { class: true, function: false } };

/** The backend, as a service and as `npm start` runs it. */
const server = defineConfig({
  ...bundled,
  entry: Object.fromEntries(Object.entries(PROGRAMS).map(([name, source]) => [`${name}.main`, source])),
  outDir: "apps/server/dist",
  target: "node24",
  clean: true,
  minify: { compress: NAMES, mangle: NAMES, codegen: { removeWhitespace: true } },
  plugins: [...bundled.plugins, withoutCompilers, withoutUnused, enginesApart, pageBeside],
  outputOptions: {
    chunkFileNames: "[name].js",
    codeSplitting: {
      groups: [{ name: "backend", tags: ["$initial"], priority: 1, test: (id) => !isProgram(id) }, ...LATE],
    },
  },
  copy: [
    ...["prisma/sqlite/migrations", ...MODELS].map((from) => ({
      from,
      to: "apps/server/dist",
    })),
    { from: "prisma/postgres/migrations", to: "apps/server/dist", rename: "migrations-postgres" },
  ],
  hooks: { "build:done": writeStarters },
});

/** Each program is a line that any Node reads, which looks at the Node and then runs the rest. */
function writeStarters(): void {
  for (const name of Object.keys(PROGRAMS)) {
    const start = `${refuseOldNode(name, "24")}\nawait import("./${name}.main.js");\n`;
    writeFileSync(join(ROOT, `apps/server/dist/${name}.js`), start);
  }
}

export default [server, ...threads, ...schemaCheck];
