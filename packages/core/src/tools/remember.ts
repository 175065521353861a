import { ChestError } from "@chest/contracts";
import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import { waitsForReview } from "../access/review.ts";
import { VISIBILITIES, type Visibility } from "../access/space.ts";
import { cited, otherKeys, warningLines } from "../answer-text.ts";
import { embedInWrite } from "../embedding/embed-in-write.ts";
import { momentumBand } from "../lifecycle/momentum.ts";
import { canonical } from "../memory/canonical.ts";
import { ENTITY_KINDS, type EntityKind } from "../memory/entity.ts";
import { normaliseName } from "../memory/entity-name.ts";
import { expiryOf, LAYERS, type Layer, readLayer } from "../memory/layer.ts";
import { type NewLink, readLinks } from "../memory/link.ts";
import { isPinned, LAST_SECOND, type Memory } from "../memory/memory.ts";
import { type Category, layerOfCategory, MAX_EVIDENCE, type Metadata } from "../memory/metadata.ts";
import { isPersonal } from "../memory/personal.ts";
import { hashtagsOf, readTags, uniteTags } from "../memory/tags.ts";
import type { FoundEntity, NewMemory, Writes } from "../ports/store.ts";
import { framed } from "../recall/answer/sanitize-for-prompt.ts";
import { redact } from "../redaction/redact.ts";
import { pastedRule } from "../text/pasted.ts";
import { wellFormed } from "../text/well-formed.ts";
import { defineTool, invalid } from "../tool.ts";
import { CAPTURE_RULES } from "../transcript/candidate.ts";
import { saidIn } from "../transcript/lessons/rules.ts";
import { readCondition } from "../triggers/condition.ts";
import { round, seconds, some, type Warning } from "../wire.ts";
import { findWork, workId } from "../work/work-reference.ts";
import {
  alikeStored,
  compareWithStored,
  comparisons,
  conflictWarnings,
  contradictionLines,
  twinAmong,
  withExcerpts,
} from "./comparisons.ts";
import { checkContent, flaggedText, mendedText, redactedText } from "./content.ts";
import * as field from "./fields.ts";
import { addLinks, HOW_LINKS_ARE_WRITTEN, linksField } from "./links.ts";
import { clean, cleanList, readMetadata } from "./metadata.ts";
import { refuseToRelease } from "./refusals.ts";
import { WAITS } from "./settling/promotion.ts";
import { putSources, readSources, sourceFields, sourceWarnings } from "./sources.ts";
import { supersedeAll } from "./supersede.ts";

const USUAL_IMPORTANCE = 0.5;

const input = z.object({
  content: z.string().min(1),
  layer: field
    .layer()
    .optional()
    .describe(`${LAYERS.join(", ")}, or an alias; by category or content if left out`),
  category: field.category().optional(),
  entity_name: field
    .name()
    .min(1)
    .transform(wellFormed)
    .optional()
    .describe("Its subject, with entity_kind; the project by default"),
  entity_kind: z.enum(ENTITY_KINDS).optional(),
  entity_key: field.name().transform(wellFormed).optional().describe("E-mail, domain, repository or path; unique"),
  title: field.title().optional(),
  name: field.name().transform(wellFormed).optional().describe("Unique here; again: update"),
  importance: field.importance().default(USUAL_IMPORTANCE),
  force: z.boolean().default(false).describe("No paste or duplicate check"),
  expires_at: field.secondsOrDate().optional().describe("Unix seconds, or a date"),
  supersedes: z.array(field.id()).max(1000).optional().describe("Ids it replaces"),
  tags: field.tags().optional(),
  confidence: field.confidence().optional(),
  certainty: field.certainty().optional(),
  source_type: field.sourceType().optional(),
  evidence: field.evidence().optional().describe("What it rests on"),
  files: field.files().optional().describe("Paths it is about"),
  ...sourceFields,
  links: linksField().optional().describe(HOW_LINKS_ARE_WRITTEN),
  project: field.project().optional().describe("Key of another; `*`: all of yours"),
  closes_work: z.array(field.textOrNumber(20)).max(50).optional().describe("Work items it ends: `W#17`, or its number"),
  trigger: field.trigger().optional(),
  visibility: z
    .enum([...VISIBILITIES, "global"])
    .optional()
    .describe("Who may read it; the project by default. `team`: all"),
  git_commit: field.gitCommit(),
  git_branch: field.gitBranch(),
});

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
    "Save one lasting fact, decision, pitfall or state of work, in its own words. Use when a later session or a colleague would want it. Not for chat, logs or secrets. Layers: goal, context, emotion, implementation, realize (pitfalls), learning (decisions).",
  input,
  output,
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },

  text: rememberedText,

  async run(args, { store, clock, limits, hasReview, ...embedding }, caller) {
    const kind = kindOf(args);
    const { layer } = kind;
    checkContent(args.content, limits.contentChars);
    if (!args.force) refusePasted(args.content);
    const text = canonical(args.content);
    const tags = uniteTags(readTags(args.tags ?? []), hashtagsOf(text.content));
    const stored = readMetadata(args);
    const metadata = kind.category === undefined ? stored : { ...stored, category: kind.category };
    const files = cleanList(args.files);
    const sources = readSources(args);
    const links = readLinks(args.links, "links");
    const key = args.entity_key ? redact(args.entity_key) : undefined;
    const trigger = args.trigger === undefined ? undefined : readCondition(args.trigger);
    const now = clock.now();
    const stated = statedSubject(args);
    const { projectKey, visibility: wanted, isOwn } = placeOf(args, kind, caller);
    const ownName = args.name === undefined ? undefined : clean(args.name) || undefined;
    const ownExpiry = args.expires_at === undefined ? undefined : Math.min(args.expires_at, LAST_SECOND);
    const expiresAt = ownExpiry === undefined ? expiryOf(layer, now) : new Date(ownExpiry * 1000);

    const answer = await store.write(async (tx) => {
      if (args.project !== undefined && args.project !== ALL) await tx.sessions.workIn(args.project);
      const isKnown = async () =>
        ownName !== undefined && tx.memories.named(ownName, { visibility: wanted, projectKey });
      const isHeld = waitsForReview(wanted, hasReview, caller) && !(await isKnown());
      const visibility = isHeld ? "private" : wanted;
      const subject = stated ?? (await tx.entities.subjectOf({ visibility, projectKey }));
      const found = await tx.entities.findOrAdd({ ...subject, key, visibility, projectKey });
      const draft: NewMemory = {
        entity: found.entity,
        layer,
        text,
        tags: tags.kept,
        importance: args.importance,
        visibility,
        ...(isHeld && { requestedVisibility: "team" }),
        projectKey,
        expiresAt,
        hasOwnExpiry: ownExpiry !== undefined,
        metadata: ownName === undefined ? metadata : { ...metadata, name: ownName },
        files,
      };
      const named = ownName === undefined ? undefined : await tx.memories.named(ownName, draft);
      if (named) {
        const asNamed = kind.isGuessed
          ? { ...draft, layer: named.layer, metadata: { ...stored, name: ownName } }
          : draft;
        const answer = await updated(tx, named, asNamed, args, links);
        if (trigger !== undefined) await tx.triggers.set(named, trigger);
        const ended = await closeWork(tx, args.closes_work ?? [], { projectKey, memory: named });
        await putSources(tx, named, sources, "all");
        await request(tx, named.id, draft);
        const warnings = [
          ...sourceWarnings(sources),
          ...redactedText(text.content),
          ...flaggedText({ content: text.content, title: metadata.title ?? named.title }),
          ...(isHeld ? [WAITS] : []),
          ...(isOwn ? [OWN_EVERYWHERE] : []),
        ];
        return { ...answer, ...some("closed_work", ended), ...some("warnings", warnings) };
      }
      const exact = args.force ? undefined : await tx.memories.sameWords(draft);
      const alike = exact ? [] : await alikeStored(tx, draft);
      const kept = alike.filter(({ id }) => !args.supersedes?.includes(id));
      const twin = exact ?? (args.force ? undefined : twinAmong(kept, draft));
      const memory = twin ? await unite(tx, twin, draft) : await tx.memories.add(draft);
      if (twin) await request(tx, twin.id, draft);
      const entity = twin
        ? found.entity
        : await tx.entities.noteEvent(found.entity.id, "memory_stored", { memory_id: memory.id });
      if (trigger !== undefined) await tx.triggers.set(memory, trigger);
      await addLinks(tx, memory, links, "links");
      await putSources(tx, memory, sources);
      const hasVector = twin !== undefined && (await tx.vectors.isEmbedded(twin));
      const isEmbedded = hasVector || (await embedInWrite(tx, memory, { store, ...embedding }));
      const replaced = await supersedeAll(tx, args.supersedes ?? [], memory);
      const closed = await closeWork(tx, args.closes_work ?? [], { projectKey, memory });
      const compared = twin ? {} : await compareWithStored(tx, memory, notReplaced(alike, replaced), !args.force);
      const warnings = [
        ...conflictWarnings(compared),
        ...(found.keyConflict === undefined ? [] : [KEY_KEPT]),
        ...nameWarnings(found, subject.name, subject.kind),
        ...(tags.isCut ? [field.TAGS_CUT] : []),
        ...sourceWarnings(sources),
        ...expiryWarnings(args.expires_at, memory, now),
        ...mendedText(args.content),
        ...redactedText(text.content),
        ...(twin ? [] : flaggedText(memory)),
        ...(isHeld ? [WAITS] : []),
        ...(isOwn ? [OWN_EVERYWHERE] : []),
      ];
      return {
        ok: true as const,
        memory_id: memory.id,
        entity_id: entity.id,
        layer,
        ...(kind.category === undefined ? {} : { category: kind.category }),
        pinned: isPinned(memory),
        momentum: { score: round(entity.momentum, 2), band: momentumBand(entity.momentum) },
        action: actionOf(memory, twin),
        ...replaced,
        ...some("closed_work", closed),
        ...compared,
        embedding: { status: isEmbedded ? ("ok" as const) : ("pending" as const) },
        ...some("warnings", warnings),
      };
    });
    return withExcerpts(answer, store, caller);
  },
});

const KEY_KEPT: Warning = {
  reason: "entity_key_kept",
  message: "this entity has another key already; the stored one was kept",
};
const ALREADY_EXPIRED: Warning = {
  reason: "already_expired",
  message: "expires_at is in the past: the memory fades at once",
};
const EXPIRY_KEPT: Warning = {
  reason: "expiry_kept",
  message: "the memory of these words keeps the expiry it has; `force` makes another one",
};
const EXPIRY_CUT: Warning = {
  reason: "expiry_cut",
  message: "expires_at is after the year 9999, whose last second it counts as: is it in milliseconds?",
};

/** Warns of a name and a kind that had no effect, since their key belongs to others. */
function nameWarnings({ entity, isKnownOtherwise }: FoundEntity, name: string, kind: EntityKind): Warning[] {
  if (!isKnownOtherwise) return [];
  const isNamed = normaliseName(entity.name) === normaliseName(name);
  const others = [...(isNamed ? [] : ["name"]), ...(entity.kind === kind ? [] : ["kind"])].join(" and ");
  return [
    {
      reason: "entity_name_kept",
      message: `the entity of this key has another ${others}: the stored one was kept, \`chest_list_entities\` shows it`,
    },
  ];
}

/** Warns of an expiry that was changed or ignored. */
function expiryWarnings(given: number | undefined, { expiresAt }: Memory, now: Date): Warning[] {
  if (given === undefined) return [];
  if (expiresAt === undefined || seconds(expiresAt) !== Math.min(given, LAST_SECOND)) return [EXPIRY_KEPT];
  if (given > LAST_SECOND) return [EXPIRY_CUT];
  return expiresAt <= now ? [ALREADY_EXPIRED] : [];
}

function refusePasted(content: string): void {
  const rule = pastedRule(content);
  if (!rule) return;
  throw new ChestError("REJECTED", `content: looks like pasted output (${rule})`, {
    hint: "say in a sentence what follows from it, or repeat with `force: true`",
    details: { rejected: "quality_check", reason: rule },
  });
}

const ALL = "*";

/** Place of a new memory, and whether it is the member's own in all projects although the caller did not say so. */
function placeOf(args: RememberArguments, { layer }: Kind, caller: Caller) {
  const { project, visibility: given, category, content, entity_kind: entityKind } = args;
  const isUnsaid = given === undefined && project === undefined && caller.project !== undefined;
  if (isUnsaid && isPersonal({ entityKind, layer, category, content }))
    return { projectKey: undefined, visibility: "private" as const, isOwn: true };
  const projectKey = project === undefined ? caller.project : project === ALL ? undefined : project;
  // All projects of this member, unless the caller says that all of the team's are meant.
  const visibility = project === ALL && given === undefined ? "private" : readVisibility(given, projectKey);
  return { projectKey, visibility, isOwn: project === ALL && given === undefined };
}

const OWN_EVERYWHERE: Warning = {
  reason: "own_everywhere",
  message: "kept as yours alone, in all your projects; `visibility` `project` or `team` shares it with others",
};

function readVisibility(given: Visibility | "global" | undefined, projectKey: string | undefined): Visibility {
  if (given === "project" && projectKey === undefined) {
    throw invalid([{ path: "visibility", message: "`project` needs a project: name one, or use `team`" }]);
  }
  if (given === "global") return "team";
  return given ?? (projectKey === undefined ? "team" : "project");
}

const actionOf = (memory: Memory, twin: Memory | undefined) => {
  if (twin === undefined) return "created" as const;
  return memory === twin ? ("duplicate" as const) : ("merged" as const);
};

const notReplaced = (alike: readonly Memory[], { superseded = [] }: { readonly superseded?: readonly number[] }) =>
  alike.filter(({ id }) => !superseded.includes(id));

/** The same words again: the stored row takes over new tags, evidence and files, and fields that it lacked. */
async function unite(tx: Writes, twin: Memory, draft: NewMemory): Promise<Memory> {
  const tags = uniteTags(twin.tags, draft.tags).kept;
  const importance = Math.max(twin.importance, draft.importance);
  const metadata = unitedMetadata(twin, draft.metadata ?? {});
  const isNew = Object.keys(metadata).length > 0;
  const isSame = tags.length === twin.tags.length && importance === twin.importance && !isNew;
  if (draft.files?.length) await tx.memories.addFiles(twin, draft.files);
  return isSame ? twin : tx.memories.revise(twin, { tags, importance, ...(isNew ? { metadata } : {}) });
}

/** Makes a stored row of its author's wait for review, where the draft would. */
async function request(tx: Writes, id: number, { requestedVisibility }: NewMemory): Promise<void> {
  const memory = requestedVisibility && (await tx.memories.byId(id));
  if (memory && memory.requestedVisibility === undefined) await tx.promotions.request(memory);
}

function unitedMetadata(twin: Memory, { title, category, confidence, evidence = [], name }: Partial<Metadata>) {
  const all = [...new Set([...twin.evidence, ...evidence])].slice(0, MAX_EVIDENCE);
  return {
    ...(title !== undefined && twin.title === undefined ? { title } : {}),
    ...(name !== undefined && twin.name === undefined ? { name } : {}),
    ...(category !== undefined && twin.category === undefined ? { category } : {}),
    ...(confidence !== undefined && confidence > twin.confidence ? { confidence } : {}),
    ...(all.length > twin.evidence.length ? { evidence: all } : {}),
  };
}

/** The same name again: what it names says this now, and what it said is a version. */
async function updated(
  tx: Writes,
  named: Memory,
  draft: NewMemory,
  { supersedes = [], importance }: RememberArguments,
  links: readonly NewLink[],
) {
  const { text, layer, tags, expiresAt, hasOwnExpiry, metadata, files = [] } = draft;
  refuseToRelease(named, layer);
  if (files.length > 0) await tx.memories.addFiles(named, files);
  const isNewText = text.contentHash !== named.contentHash;
  const memory = await tx.memories.revise(named, {
    ...(isNewText ? { text } : {}),
    layer,
    tags: uniteTags(named.tags, tags).kept,
    // The default importance does not replace one that was set.
    ...(importance === USUAL_IMPORTANCE ? {} : { importance }),
    ...(hasOwnExpiry || layer !== named.layer ? { expiresAt: expiresAt ?? null } : {}),
    metadata,
  });
  await addLinks(tx, memory, links, "links");
  const entity = await tx.entities.noteEvent(named.entity.id, "memory_updated", { memory_id: named.id });
  return {
    ok: true as const,
    memory_id: memory.id,
    entity_id: entity.id,
    layer,
    pinned: isPinned(memory),
    momentum: { score: round(entity.momentum, 2), band: momentumBand(entity.momentum) },
    action: "updated" as const,
    ...(await supersedeAll(tx, supersedes, memory)),
    embedding: { status: (await tx.vectors.isEmbedded(memory)) ? ("ok" as const) : ("pending" as const) },
  };
}

type RememberArguments = z.output<typeof input>;

interface Kind {
  readonly layer: Layer;
  /** Read out of the content, where it says one. */
  readonly category?: Category;
  /** Neither a layer nor a category was stated. */
  readonly isGuessed: boolean;
}

/** Layer as stated, by the category, or by what a transcript's capture makes of such a sentence. */
function kindOf({ layer, category, content }: RememberArguments): Kind {
  if (layer !== undefined) return { layer: readLayer(layer), isGuessed: false };
  if (category !== undefined) return { layer: layerOfCategory(category), isGuessed: false };
  const isDecision = saidIn(content).some(({ rule, refused }) => rule === "decision" && refused === undefined);
  const { layer: lasting } = CAPTURE_RULES.decision;
  return isDecision ? { layer: lasting, category: "decision", isGuessed: true } : { layer: lasting, isGuessed: true };
}

/** Entity that a memory is about, where the caller names it. */
function statedSubject({ entity_name, entity_kind }: RememberArguments) {
  if (entity_name === undefined && entity_kind !== undefined) {
    throw invalid([{ path: "entity_name", message: `is missing: name the ${entity_kind}, or leave both out` }]);
  }
  if (entity_name !== undefined && entity_kind === undefined) {
    const message = `is missing: one of ${ENTITY_KINDS.map((kind) => `\`${kind}\``).join(", ")}`;
    throw invalid([{ path: "entity_kind", message }]);
  }
  if (entity_name === undefined || entity_kind === undefined) return undefined;
  return { name: redact(entity_name), kind: entity_kind };
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

/** Closes work with the memory that tells of it. One that cannot be closed throws, and the memory goes with it. */
async function closeWork(
  tx: Writes,
  references: readonly string[],
  { projectKey, memory }: { readonly projectKey: string | undefined; readonly memory: Memory },
): Promise<readonly string[]> {
  if (references.length === 0) return [];
  const items = await findWork(references, { field: "closes_work", projectKey }, tx.work);
  for (const item of items) await tx.work.end(item, { status: "done", memoryId: memory.id });
  return items.map(({ id }) => workId(id));
}
