import { existsSync } from "node:fs";
import { loadStores } from "@chest/runtime";
import { assertFile, noStore, readConfig } from "../../connect/config.ts";
import { commandGroup, ownCommand } from "../../terminal/command-context.ts";
import { counted } from "../../terminal/parse-numbers.ts";

const check = ownCommand({
  meta: { name: "check", description: "Check that every memory has its text, and every text its place in the index" },
  async run(_, { env, output }) {
    const config = readConfig(env);
    assertFile(config, "fts check");
    if (!existsSync(config.dbPath)) throw noStore(config.dbPath);
    const { lookAtStore } = await loadStores(() => import("@chest/store-sqlite"));
    const { integrity, census } = await output.working("reading the store through", () => lookAtStore(config.dbPath));
    const report = {
      integrity,
      texts: census?.textRows ?? null,
      missing: census?.unsegmented ?? null,
      unindexed: census?.unindexed ?? null,
      stray: census?.strayIndexed ?? null,
    };
    output.say(`integrity: ${integrity}`);
    if (census) {
      output.say(
        `${counted(census.textRows, "text")}; ${census.unsegmented} missing, ${census.unindexed} not in the index, ${census.strayIndexed} stray`,
      );
    }
    output.document(report);
    const isWhole = integrity === "ok" && census && census.unsegmented + census.unindexed + census.strayIndexed === 0;
    return isWhole ? 0 : 2;
  },
});

const rebuild = ownCommand({
  meta: { name: "rebuild", description: "Rebuild texts and index from the memories; the backend must be stopped" },
  async run(_, { env, output }) {
    const config = readConfig(env);
    assertFile(config, "fts rebuild");
    if (!existsSync(config.dbPath)) throw noStore(config.dbPath);
    const { rebuildText } = await loadStores(() => import("@chest/store-sqlite"));
    const { memories, seconds } = await output.working("rebuilding the index", () =>
      rebuildText(config.dbPath, config.backupDir),
    );
    output.say(`${counted(memories, "memory", "memories")} indexed in ${seconds} s`);
    output.document({ memories, seconds });
  },
});

export const fts = commandGroup({
  meta: { name: "fts", description: "The text index: check, rebuild" },
  subCommands: { check, rebuild },
});
