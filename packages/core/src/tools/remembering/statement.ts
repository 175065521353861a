import { ChestError } from "@chest/contracts";
import type { Caller } from "../../access/caller.ts";
import type { Visibility } from "../../access/space.ts";
import { type CanonicalText, canonical } from "../../memory/canonical.ts";
import { ENTITY_KINDS, type EntityKind } from "../../memory/entity.ts";
import { expiryOf, type Layer, readLayer } from "../../memory/layer.ts";
import { type NewLink, readLinks } from "../../memory/link.ts";
import { LAST_SECOND } from "../../memory/memory.ts";
import { type Category, layerOfCategory, type Metadata } from "../../memory/metadata.ts";
import { isPersonal } from "../../memory/personal.ts";
import { hashtagsOf, readTags, uniteTags } from "../../memory/tags.ts";
import { redact } from "../../redaction/redact.ts";
import { pastedRule } from "../../text/pasted.ts";
import { invalid } from "../../tool.ts";
import { CAPTURE_RULES } from "../../transcript/candidate.ts";
import { saidIn } from "../../transcript/lessons/rules.ts";
import { readCondition } from "../../triggers/condition.ts";
import { checkContent } from "../content.ts";
import { clean, cleanList, readMetadata } from "../metadata.ts";
import { readSources } from "../sources.ts";
import type { RememberArguments } from "./input.ts";

/** A caller's statement with its arguments parsed, redacted and checked. */
export interface Statement {
  readonly args: RememberArguments;
  readonly layer: Layer;
  /** Category that was inferred from the content, if any. */
  readonly guessedCategory: Category | undefined;
  /** Whether neither layer nor category was given. */
  readonly isGuessed: boolean;
  readonly text: CanonicalText;
  readonly tags: ReturnType<typeof uniteTags>;
  /** Metadata as given, without inferred values. */
  readonly metadata: Partial<Metadata>;
  readonly name: string | undefined;
  readonly files: readonly string[];
  readonly sources: ReturnType<typeof readSources>;
  readonly links: readonly NewLink[];
  /** Undefined: the project is the subject. */
  readonly subject: { readonly name: string; readonly kind: EntityKind } | undefined;
  readonly entityKey: string | undefined;
  readonly trigger: ReturnType<typeof readCondition> | undefined;
  readonly projectKey: string | undefined;
  readonly visibility: Visibility;
  /** Whether it is private for all projects although the caller did not ask for that. */
  readonly isOwn: boolean;
  readonly expiresAt: Date | undefined;
  readonly hasOwnExpiry: boolean;
  readonly now: Date;
}

/** Parses the arguments of a call. Throws with the name of the field for invalid ones. */
export function readStatement(
  args: RememberArguments,
  caller: Caller,
  { contentChars, now }: { readonly contentChars: number; readonly now: Date },
): Statement {
  const kind = kindOf(args);
  checkContent(args.content, contentChars);
  if (!args.force) refusePasted(args.content);
  const text = canonical(args.content);
  const ownExpiry = args.expires_at === undefined ? undefined : Math.min(args.expires_at, LAST_SECOND);
  return {
    args,
    layer: kind.layer,
    guessedCategory: kind.category,
    isGuessed: kind.isGuessed,
    text,
    tags: uniteTags(readTags(args.tags ?? []), hashtagsOf(text.content)),
    metadata: readMetadata(args),
    name: args.name === undefined ? undefined : clean(args.name) || undefined,
    files: cleanList(args.files),
    sources: readSources(args),
    links: readLinks(args.links, "links"),
    subject: statedSubject(args),
    entityKey: args.entity_key ? redact(args.entity_key) : undefined,
    trigger: args.trigger === undefined ? undefined : readCondition(args.trigger),
    ...placeOf(args, caller),
    expiresAt: ownExpiry === undefined ? expiryOf(kind.layer, now) : new Date(ownExpiry * 1000),
    hasOwnExpiry: ownExpiry !== undefined,
    now,
  };
}

interface Kind {
  readonly layer: Layer;
  readonly category?: Category;
  readonly isGuessed: boolean;
}

/** Layer as given, or by the category, or by the rules that capture sentences from transcripts. */
function kindOf({ layer, category, content }: RememberArguments): Kind {
  if (layer !== undefined) return { layer: readLayer(layer), isGuessed: false };
  if (category !== undefined) return { layer: layerOfCategory(category), isGuessed: false };
  const isDecision = saidIn(content).some(({ rule, refused }) => rule === "decision" && refused === undefined);
  const { layer: lasting } = CAPTURE_RULES.decision;
  return isDecision ? { layer: lasting, category: "decision", isGuessed: true } : { layer: lasting, isGuessed: true };
}

/** Entity of a memory, if the caller names it. */
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

function refusePasted(content: string): void {
  const rule = pastedRule(content);
  if (!rule) return;
  throw new ChestError("REJECTED", `content: looks like pasted output (${rule})`, {
    hint: "say in a sentence what follows from it, or repeat with `force: true`",
    details: { rejected: "quality_check", reason: rule },
  });
}

/** Argument that means all projects. */
export const ALL = "*";

/** Place of a new memory, and whether it was made private for all projects without being asked for. */
function placeOf(args: RememberArguments, caller: Caller) {
  const { project, visibility: given, category, content, entity_kind: entityKind } = args;
  const isUnsaid = given === undefined && project === undefined && caller.project !== undefined;
  if (isUnsaid && isPersonal({ entityKind, category, content }))
    return { projectKey: undefined, visibility: "private" as const, isOwn: true };
  const projectKey = project === undefined ? caller.project : project === ALL ? undefined : project;
  // All projects of this member, unless the caller asks for all projects of the team.
  const visibility = project === ALL && given === undefined ? "private" : readVisibility(given, projectKey);
  return { projectKey, visibility, isOwn: project === ALL && given === undefined };
}

function readVisibility(input: Visibility | "global" | undefined, projectKey: string | undefined): Visibility {
  if (input === "project" && projectKey === undefined) {
    throw invalid([{ path: "visibility", message: "`project` needs a project: name one, or use `team`" }]);
  }
  if (input === "global") return "team";
  return input ?? (projectKey === undefined ? "team" : "project");
}
