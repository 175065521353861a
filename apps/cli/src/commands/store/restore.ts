import { dirname } from "node:path";
import { ensureFolder, loadStores } from "@chest/runtime";
import { assertFile, readConfig } from "../../connect/config.ts";
import { ownCommand } from "../../terminal/command-context.ts";
import { counted } from "../../terminal/parse-numbers.ts";

export const restore = ownCommand({
  meta: { name: "restore", description: "Replace the store with a backup; the current one is kept beside it" },
  args: {
    file: { type: "positional", description: "As `backup --list` shows it, or any copy of a store", required: true },
    check: { type: "boolean", description: "Only check whether it would work" },
    yes: { type: "boolean", description: "Do it; otherwise only check" },
  },
  async run(args, { env, output }) {
    const config = readConfig(env);
    assertFile(config, "restore");
    const { restoreStore } = await loadStores(() => import("@chest/store-sqlite"));
    const isCheck = args.check === true || args.yes !== true;
    if (!isCheck) ensureFolder(dirname(config.dbPath));
    const startedAt = performance.now();
    const { rowsBefore, rowsAfter, schema, keptOld } = await output.working(
      isCheck ? "reading it through" : "restoring",
      () => restoreStore({ path: config.dbPath, from: args.file, isCheck }),
    );
    const before = rowsBefore === undefined ? "no store that can be read" : counted(rowsBefore, "memory", "memories");
    output.say(
      `${config.dbPath}: ${before} before, ${counted(rowsAfter, "memory", "memories")} ${isCheck ? "after it" : "now"}, schema ${schema}`,
    );
    if (keptOld) output.say(`kept: ${keptOld}`);
    if (isCheck) output.say("nothing was replaced: `chest-index … --yes` does it");
    output.document({
      check: isCheck,
      store: config.dbPath,
      file: args.file,
      schema,
      rows_before: rowsBefore ?? null,
      rows_after: rowsAfter,
      kept_old: keptOld ?? null,
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    });
  },
});
