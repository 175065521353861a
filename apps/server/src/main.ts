import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { onStopSignal } from "@chest/runtime";
import { type Logger, openLogger } from "@chest/runtime/logger";
import { assertAddress, assertFolder } from "./check-port.ts";
import { compose } from "./compose.ts";
import { type Config, readConfig } from "./config.ts";
import { exitAfterFailedStart, ignoreOutputErrors, startServer } from "./start.ts";

const PROGRAM = "chest-server";

const [argument] = process.argv.slice(2);
if (argument !== undefined && argument !== "--check") {
  process.stderr.write(`${PROGRAM}: unexpected argument \`${argument}\`\nhint: it takes \`--check\`, or none\n`);
  process.exit(2);
}

ignoreOutputErrors();
try {
  const { config, warnings } = readConfig(process.env);
  const log = openLogger({ name: PROGRAM, level: config.logLevel, to: 1 });
  for (const warning of warnings) log.warn({ warning }, "configuration");
  if (argument === "--check") await check(config, log);
  else {
    const { stop } = await startServer(config, log, warnings);
    onStopSignal(stop);
  }
} catch (error) {
  exitAfterFailedStart(PROGRAM, error);
}

/** Reports whether a start would work. It does not create a missing store. */
async function check(config: Config, log: Logger): Promise<void> {
  const { dbPath, dataDir, backupDir, database } = config.store;
  if (!database) for (const folder of [dataDir, dirname(dbPath), backupDir]) assertFolder(folder);
  // Checks the host address with any free port, since a running backend already uses the configured port.
  await assertAddress({ ...config.http, port: 0 });
  if (!database && !existsSync(dbPath)) {
    process.stdout.write(`${PROGRAM}: the configuration is sound; the first start will create \`${dbPath}\`\n`);
    return;
  }
  const { engine, embedding } = await compose(config, log);
  try {
    await Promise.all([engine.inspect.ping(), engine.inspect.assertWritable(), engine.inspect.assertSearchable()]);
  } finally {
    await embedding.close();
    await engine.close();
  }
  const store = database ? "the database" : `\`${dbPath}\``;
  process.stdout.write(`${PROGRAM}: the configuration is sound, and ${store} can be read and written\n`);
}
