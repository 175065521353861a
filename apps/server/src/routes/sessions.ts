import { endpoints } from "@chest/contracts";
import { numeral } from "@chest/core/arguments";
import { defineOperation } from "@chest/core/operation";
import type { Pipeline } from "@chest/core/pipeline";
import { type CaptureReport, captureTranscript, KEEP_OLD, linesOf } from "@chest/core/transcript";
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { z } from "zod";
import { callTo, PROJECT_HEADER, serve } from "./define-route.ts";

const query = z.object({
  from_line: numeral(0).optional().describe("Index of the first line sent"),
  dry_run: z.literal("1").optional().describe("Show the result, change nothing"),
  keep_old: z
    .enum(KEEP_OLD)
    .optional()
    .describe("Also store memories older than their layer's lifetime: archived, or with a lifetime from now"),
});

const syncSession = defineOperation({
  endpoint: endpoints.syncSession,
  query,
  body: z.object({ lines: z.custom<Buffer>(), session: z.string() }),
  writes: "sync-session",
  async run({ query: { from_line: fromLine, dry_run, keep_old: keepOld }, body: { lines, session } }, ports) {
    const sent = { fromLine, session, keepOld, isDryRun: dry_run !== undefined };
    const report = await captureTranscript(() => linesOf(lines), sent, ports, ports.caller);
    return report ? answerOf(report) : { ok: true as const, skipped: true as const, reason: "no_usable_line" };
  },
});

/** Routes whose body is raw lines instead of one JSON document. */
export async function sessionRoutes(app: FastifyInstance, pipeline: Pick<Pipeline, "answer">): Promise<void> {
  const lines: FastifyPluginAsync = async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    serve(
      scope,
      syncSession.endpoint,
      (request, reply) => {
        const call = callTo(syncSession.endpoint, request, reply);
        const lines = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const session = String(request.headers["x-session-id"] ?? call.caller.client.session ?? "");
        return pipeline.answer(syncSession, { query: request.query, body: { lines, session } }, call);
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
