import { type AuditEntryView, endpoints } from "@chest/contracts";
import { readAudit } from "@chest/core/access";
import { defineCommand } from "citty";
import { withBackend } from "../../connect/backend.ts";
import { type Config, readConfig } from "../../connect/config.ts";
import { withStore } from "../../connect/local-store.ts";
import { COMMON, type ExitCode, REACH, type Shell } from "../../terminal/command-context.ts";

export const audit = defineCommand({
  meta: { name: "audit", description: "Who did what, newest first: ids and times, no content" },
  args: {
    ...COMMON,
    ...REACH,
    member: { type: "string", description: "Only what this member did", valueHint: "name" },
    op: {
      type: "string",
      description: "Only this operation, such as `chest_forget` or `token.revoke`",
      valueHint: "name",
    },
    memory: { type: "string", description: "Only what was done to this memory", valueHint: "id" },
    since: { type: "string", description: "Only from this time on", valueHint: "2026-11-21T12:00:00Z" },
    before: { type: "string", description: "Only rows older than this one: the next page", valueHint: "seq" },
    limit: { type: "string", description: "How many rows: 100 by default, at most 1000", valueHint: "n" },
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const { member, op, memory: memory_id, since, before, limit } = args;
    const filter = Object.fromEntries(
      Object.entries({ member, op, memory_id, since, before, limit }).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    const entries = await entriesOf(readConfig(env, args), filter);
    if (entries.length === 0) output.say("nothing found");
    output.rows(entries.map(cellsOf));
    output.document(entries);
    return 0;
  },
});

async function entriesOf(config: Config, filter: Record<string, string>): Promise<AuditEntryView[]> {
  if (!config.remote) return withStore(config, ({ audit: log }) => readAudit(log, filter));
  return withBackend(
    config.remote,
    async (backend) => (await backend.call(endpoints.audit, { query: filter })).entries,
  );
}

function cellsOf({ seq, at, member, token_id, op, outcome, memory_ids, subject, times }: AuditEntryView): string[] {
  const who = `${member ?? "nobody"}${token_id === null ? "" : ` (token ${token_id})`}`;
  const about = [...(memory_ids.length > 0 ? [`memories ${memory_ids.join(",")}`] : []), ...(subject ? [subject] : [])];
  return [`${seq}`, at, who, op, outcome, about.join("  "), times > 1 ? `${times} times` : ""];
}
