import { endpoints } from "@chest/contracts";
import { numeral } from "@chest/core/arguments";
import type { HostPorts } from "@chest/core/executor";
import type { Engine } from "@chest/core/ports";
import { readFields } from "@chest/core/tool";
import { type CaptureReport, captureTranscript, KEEP_OLD, linesOf } from "@chest/core/transcript";
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { z } from "zod";
import type { Once } from "../idempotent.ts";
import { writeCallOf } from "../plugins/caller.ts";
import { PROJECT_HEADER, serve } from "./define-route.ts";

const query = z.object({
  from_line: numeral(0).optional().describe("Index of the first line sent"),
  dry_run: z.literal("1").optional().describe("Show the result, change nothing"),
  keep_old: z
    .enum(KEEP_OLD)
    .optional()
    .describe("Also store memories older than their layer's lifetime: archived, or with a lifetime from now"),
});

export interface SessionOptions {
  readonly engine: Pick<Engine, "as">;
  readonly ports: Pick<HostPorts, "clock" | "hasReview" | "embedSoon">;
  readonly once: Once;
}

/** Routes whose body is raw lines instead of one JSON document. */
export async function sessionRoutes(app: FastifyInstance, { engine, ports, once }: SessionOptions): Promise<void> {
  const lines: FastifyPluginAsync = async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    serve(
      scope,
      endpoints.syncSession,
      async (request, reply) => {
        const { from_line: fromLine, dry_run, keep_old: keepOld } = readFields(query, request.query);
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        return once(writeCallOf(request, reply), async (call) => {
          const { caller } = call;
          const session = String(request.headers["x-session-id"] ?? caller.client.session ?? "");
          const store = engine.as({ ...call, request: { tool: "sync-session", input: null } });
          const sent = { fromLine, session, keepOld, isDryRun: dry_run !== undefined };
          const report = await captureTranscript(() => linesOf(body), sent, { store, ...ports }, caller);
          return report ? answerOf(report) : { ok: true as const, skipped: true as const, reason: "no_usable_line" };
        });
      },
      { querystring: query, headers: PROJECT_HEADER },
    );
  };
  await app.register(lines);
}

const answerOf = ({ session, projectName, memories, edits, nextLine, tally }: CaptureReport) => ({
  ok: true as const,
  sessionId: session,
  projectName,
  memoriesInserted: memories.inserted,
  memoriesUpdated: memories.updated,
  editsInserted: edits,
  next_line: nextLine,
  skipped_lines: Object.values(tally.skipped).reduce((sum, lines) => sum + lines, 0),
  lines: tally.lines,
  memories,
  found: tally.kept,
  dropped: tally.dropped,
});
