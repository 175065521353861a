import type { Engine } from "@chest/core/ports";
import { redact, redactCounted } from "@chest/core/redaction";
import { operatorHere } from "../../connect/access-admin.ts";
import { type Config, readConfig } from "../../connect/config.ts";
import { withStore } from "../../connect/local-store.ts";
import { ownCommand } from "../../terminal/command-context.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import { UsageError } from "../../terminal/usage.ts";

interface Finding {
  /** Null for a text outside memories, such as the name of an entity. */
  readonly memory_id: number | null;
  readonly field: string;
  readonly category: string;
  readonly count: number;
}

interface Report {
  readonly scanned: number;
  readonly findings: readonly Finding[];
  readonly fixed?: { readonly how: string; readonly memories: number; readonly backups_with_copies: readonly string[] };
}

export const scan = ownCommand({
  meta: {
    name: "scan",
    description: "Find stored secrets: where and of which kind, never the secrets themselves",
  },
  args: {
    fix: {
      type: "string",
      description: "`redact` them in place, or `purge` their memories",
      valueHint: "redact|purge",
    },
    yes: { type: "boolean", description: "Do it: this cannot be undone" },
  },
  async run(args, { env, output }) {
    const { fix } = args;
    if (fix !== undefined && fix !== "redact" && fix !== "purge") {
      throw new UsageError(`\`--fix ${fix}\` is not a way to fix it`, "pass `--fix redact` or `--fix purge`");
    }
    const config = readConfig(env);
    if (config.remote) {
      throw new UsageError(
        "`scan` reads the store's file, but this machine uses a backend",
        "on the store's machine: `CHEST_MODE=local chest-index …`",
      );
    }
    const report = await output.working("looking for secrets", (tell) =>
      look(config, args.yes === true ? fix : undefined, tell),
    );
    for (const { memory_id, field, category, count } of report.findings) {
      const where = memory_id === null ? `some ${field}` : `memory ${memory_id}, ${field}`;
      output.say(`${where}: ${category}${count > 1 ? `, ${count} times` : ""}`);
    }
    const { scanned, findings, fixed } = report;
    output.say(
      `${counted(scanned, "text")}, ${findings.length === 0 ? "no secrets" : counted(findings.length, "finding")}`,
    );
    if (fixed)
      output.say(`${fixed.how === "purge" ? "purged" : "redacted"} ${counted(fixed.memories, "memory", "memories")}`);
    else if (findings.length > 0)
      output.say(
        "nothing was changed; `chest-index scan --fix redact --yes` or `chest-index scan --fix purge --yes` fixes it",
      );
    for (const file of fixed?.backups_with_copies ?? []) output.show(`still in the copy ${file}: delete it`);
    output.document(report);
    return findings.length > 0 && (!fixed || fixed.backups_with_copies.length > 0) ? 1 : 0;
  },
});

const TELL_EVERY = 500;

async function look(
  config: Config,
  fix: "redact" | "purge" | undefined,
  tell: (detail: string) => void,
): Promise<Report> {
  return withStore(config, async ({ purger }) => {
    const { scanned, findings } = await findIn(purger, tell);
    if (fix === undefined || findings.length === 0) return { scanned, findings };
    const ids = [...new Set(findings.flatMap(({ memory_id }) => memory_id ?? []))];
    const kept = fix === "purge" ? [] : ids;
    const purged = fix === "purge" ? await purger.purge(operatorHere(), ids) : undefined;
    const rewritten = await purger.rewrite(operatorHere(), kept, redact);
    const backups = [...new Set([...(purged?.backups ?? []), ...rewritten.backups])];
    return { scanned, findings, fixed: { how: fix, memories: ids.length, backups_with_copies: backups } };
  });
}

async function findIn(
  purger: Engine["purger"],
  tell: (detail: string) => void,
): Promise<{ scanned: number; findings: Finding[] }> {
  const findings = new Map<string, Finding>();
  let scanned = 0;
  await purger.visit(({ memoryId, field, text }) => {
    scanned += 1;
    if (scanned % TELL_EVERY === 0) tell(counted(scanned, "text"));
    const { text: clean, counts } = redactCounted(text);
    // A text that was redacted earlier is not a finding.
    if (clean === text) return;
    for (const [category, count] of Object.entries(counts)) {
      const key = `${memoryId} ${field} ${category}`;
      const before = findings.get(key)?.count ?? 0;
      findings.set(key, { memory_id: memoryId ?? null, field, category, count: before + count });
    }
  });
  return { scanned, findings: [...findings.values()] };
}
