import { Writable } from "node:stream";
import { keepCompiled } from "@chest/runtime/compiled";

const USAGE = `chest-memory: shared memory for coding agents, as an MCP server on stdio

usage: chest-memory [--version | --help]
       chest-memory setup …    connects the agents of this machine; \`setup --help\` shows how

settings, from the environment:
  CHEST_MODE            local (default): a store on this PC; remote: a backend
  CHEST_REMOTE_URL      the backend, with its path prefix
  CHEST_API_TOKEN       its token; CHEST_API_TOKEN_FILE names a file instead
  CHEST_DATA_DIR        outbox and local store; ~/.chest-memory
  CHEST_PROJECT         key of the project; from git without it
  CHEST_CA_FILE         PEM file of a private certificate authority
  CHEST_ROOTS           folders that chest_read_smart may open, beside the agent's own;
                        without any the working directory, with \`none\` no folder
  HTTPS_PROXY, NO_PROXY, CHEST_DB_PATH, DATABASE_URL (file:…), CHEST_OUTBOX,
  CHEST_REMOTE_TIMEOUT_MS, CHEST_CLIENT_EMBED, CHEST_MAX_CONTENT_CHARS, CHEST_LOG_LEVEL
`;

const [flag] = process.argv.slice(2);
if (flag === "--help" || flag === "-h") {
  process.stdout.write(USAGE);
} else if (flag === "--version" || flag === "-V") {
  const { RELEASE } = await import("./program.ts");
  process.stdout.write(`${RELEASE}\n`);
} else if (flag === "setup") {
  // The operator's command line is a program of its own, in the same package.
  await import(new URL("chest-index.js", import.meta.url).href);
} else if (flag !== undefined) {
  process.stderr.write(
    `chest-memory: unexpected argument \`${flag}\`\nhint: \`chest-memory --help\` shows what it takes\n`,
  );
  process.exitCode = 2;
} else {
  const frames = takeStdout();
  keepCompiled(process.env.CHEST_DATA_DIR);
  parseWithoutCompiling();
  const { serve } = await import("./program.ts");
  process.exit(await serve(process.env, frames));
}

/** Zod compiles each schema at its first use: 40 ms of a start, for microseconds of a call. It reads this when loaded. */
function parseWithoutCompiling(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
}

/** Reserves stdout for the protocol: other output goes to stderr from here on, while that can be written. */
function takeStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const frames = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => void write(chunk, (error) => done(error ?? null)),
  });
  // The agent is gone. Its end of stdin says so too, and that is where the program ends.
  stdout.on("error", () => frames.destroy());
  // A log that the agent does not read, or has no room for, is no reason to leave it without its memory.
  stderr.on("error", () => {});
  frames.on("error", () => {});
  return frames;
}
