import { z } from "zod";
import { alikeHint } from "../access/alike-keys.ts";
import type { Caller } from "../access/caller.ts";
import { waitsForReview } from "../access/review.ts";
import { cited, otherKeys, warningLines } from "../answers/answer-text.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import type { Warning } from "../answers/wire.ts";
import { embedInWrite } from "../embedding/embed-in-write.ts";
import { noteStored } from "../embedding/text.ts";
import type { Foreseen, NewMemory, Writes } from "../ports/store.ts";
import { defineTool, type ToolPorts } from "../tool.ts";
import { comparisons, contradictionLines, withExcerpts } from "./comparisons.ts";
import * as field from "./fields.ts";
import { input } from "./remembering/input.ts";
import { keepStatement, type Subject } from "./remembering/keep.ts";
import { ALL, readStatement, type Statement } from "./remembering/statement.ts";
import { updateNamed } from "./remembering/update-named.ts";

const skipped = z.looseObject({ id: z.int(), reason: z.string() });

const output = z.looseObject({
  ok: z.literal(true),
  memory_id: z.int().optional(),
  entity_id: z.int().optional(),
  layer: z.string().optional(),
  category: z.string().optional().describe("As read out of the content, where no layer was given"),
  pinned: z.boolean().optional(),
  momentum: z.object({ score: z.number(), band: z.string() }).optional(),
  action: z.enum(["created", "duplicate", "merged", "updated"]).optional(),
  superseded: z.array(z.int()).optional(),
  skipped_protected: z.array(z.int()).optional(),
  skipped: z.array(skipped).optional(),
  closed_work: z.array(z.string()).optional(),
  ...comparisons,
  embedding: field.embedding,
  warnings: field.warnings,
  ...field.queued,
});

export const remember = defineTool({
  name: "chest_remember",
  title: "chest: remember",
  description:
    "Save one lasting fact, decision, pitfall or state of work, in its own words. Use when a later session or a colleague would want it. Not for chat, logs or secrets.",
  input,
  output,
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },

  text: rememberedText,

  async run(args, { store, clock, limits, hasReview, ...embedding }, caller) {
    const statement = readStatement(args, caller, { contentChars: limits.contentChars, now: clock.now() });
    let isCreated = false;
    let madeProject: string | undefined;
    const answer = await store.write(async (tx) => {
      if (args.project !== undefined && args.project !== ALL) await tx.sessions.workIn(args.project);
      const { draft, subject } = await placed(tx, statement, { hasReview, caller });
      await tx.memories.sayAgain(draft);
      const named = statement.name === undefined ? undefined : await tx.memories.byName(statement.name, draft);
      madeProject = tx.madeProject();
      if (named) return updateNamed(tx, named, draft, statement);
      const kept = await keepStatement(tx, draft, { statement, subject }, (memory) =>
        embedInWrite(tx, memory, { store, ...embedding }),
      );
      isCreated = kept.action === "created";
      return kept;
    }, foreseen(statement));
    const told = await withExcerpts(answer, store, caller);
    if (isCreated) noteStored(told, statement.text.content);
    return madeProject === undefined ? told : withOlderProject(told, madeProject, store, caller);
  },
});

/** Warns that the project which was made by this statement looks like an older one. Not kept: others may not be told. */
async function withOlderProject<T extends { readonly warnings?: readonly Warning[] }>(
  answer: T,
  key: string,
  { listings }: Pick<ToolPorts["store"], "listings">,
  { scopes }: Caller,
): Promise<T> {
  const [older] = scopes.has("read") ? await listings.projectsLike(key) : [];
  if (older === undefined) return answer;
  const warning = { reason: "similar_project", message: alikeHint(key, older, { isThere: true }) };
  return { ...answer, warnings: [...(answer.warnings ?? []), warning] };
}

const foreseen = ({ args, ...statement }: Statement): Foreseen => ({ ...statement, isForced: args.force });

interface Review {
  readonly hasReview: boolean | undefined;
  readonly caller: Caller;
}

/** Builds the row for a statement; while it waits for a reviewer, only its author sees it. */
async function placed(
  tx: Writes,
  { visibility: wanted, projectKey, name, ...statement }: Statement,
  { hasReview, caller }: Review,
): Promise<{ readonly draft: NewMemory; readonly subject: Subject }> {
  const isKnown = async () => name !== undefined && tx.memories.byName(name, { visibility: wanted, projectKey });
  const isHeld = waitsForReview(wanted, hasReview, caller) && !(await isKnown());
  const visibility = isHeld ? "private" : wanted;
  const asked = statement.subject ?? (await tx.entities.subjectOf({ visibility, projectKey }));
  const found = await tx.entities.findOrAdd({ ...asked, key: statement.entityKey, visibility, projectKey });
  const { guessedCategory: category, metadata } = statement;
  const draft: NewMemory = {
    entity: found.entity,
    layer: statement.layer,
    text: statement.text,
    tags: statement.tags.kept,
    importance: statement.args.importance,
    visibility,
    ...(isHeld && { requestedVisibility: "team" }),
    projectKey,
    expiresAt: statement.expiresAt,
    hasOwnExpiry: statement.hasOwnExpiry,
    metadata: { ...metadata, ...(category && { category }), ...(name !== undefined && { name }) },
    files: statement.files,
  };
  return { draft, subject: { ...found, asked } };
}

function rememberedText({
  ok,
  memory_id: id = 0,
  entity_id,
  layer,
  category,
  pinned,
  momentum,
  action,
  superseded = [],
  skipped_protected: kept = [],
  skipped = [],
  closed_work: closed = [],
  contradicts,
  similar = [],
  embedding,
  warnings,
  queued,
  queue_id,
  note,
  ...others
}: z.output<typeof output>): string {
  const done = {
    created: `stored [memory:${id}], layer ${layer}${category ? `, ${framed(category)}` : ""}${pinned ? ", pinned" : ""}`,
    duplicate: `these words are stored already: [memory:${id}]`,
    merged: `these words are stored already: [memory:${id}], which took over what is new`,
    updated: `updated [memory:${id}], which has this name`,
  };
  return [
    queued ? field.queuedText({ queue_id, note }) : done[action ?? "created"],
    ...(superseded.length > 0 ? [`replaced ${cited(superseded)}`] : []),
    ...(closed.length > 0 ? [`closed ${closed.join(", ")}`] : []),
    ...(kept.length > 0 ? [`protected, not replaced: ${cited(kept)}`] : []),
    ...(similar.length > 0 ? [`${cited(similar)} ${similar.length === 1 ? "says" : "say"} the same`] : []),
    ...contradictionLines(contradicts),
    ...skipped.map(
      (each) => `not replaced: ${cited([each.id])} ${SKIPPED.get(each.reason) ?? `(${framed(each.reason)})`}`,
    ),
    ...warningLines(warnings),
    ...otherKeys(others),
  ].join("\n");
}

const SKIPPED: ReadonlyMap<string, string> = new Map([
  ["not_found", "was not found"],
  ["archived", "is not in use any more"],
  ["wider_audience", "has readers who could not read the new one"],
]);
