import { z } from "zod";
import { VISIBILITIES } from "../../access/space.ts";
import { ENTITY_KINDS } from "../../memory/entity.ts";
import { wellFormed } from "../../text/characters.ts";
import * as field from "../fields.ts";
import { HOW_LINKS_ARE_WRITTEN, linksField } from "../links.ts";
import { gitFields, metadataFields } from "../metadata.ts";
import { sourceFields } from "../sources.ts";

/** Default importance. */
export const USUAL_IMPORTANCE = 0.5;

const { category, title, ...about } = metadataFields;

/** Arguments of `chest_remember`. */
export const input = z.object({
  content: z.string().min(1),
  layer: field.layer().optional(),
  category,
  entity_name: field
    .name()
    .min(1)
    .transform(wellFormed)
    .optional()
    .describe("Its subject, with entity_kind; the project by default"),
  entity_kind: z.enum(ENTITY_KINDS).optional(),
  entity_key: field.name().transform(wellFormed).optional().describe("E-mail, domain, repository or path; unique"),
  title,
  name: field.name().transform(wellFormed).optional().describe("Unique here; again: update"),
  importance: field.importance().default(USUAL_IMPORTANCE),
  force: z.boolean().default(false).describe("No paste or duplicate check"),
  expires_at: field.secondsOrDate().optional().describe("Unix seconds, or a date"),
  supersedes: z.array(field.id()).max(1000).optional().describe("Ids it replaces"),
  tags: field.tags().optional(),
  ...about,
  files: field.files().optional().describe("Paths it is about"),
  ...sourceFields,
  links: linksField().optional().describe(HOW_LINKS_ARE_WRITTEN),
  project: field.project().optional().describe("Key of another; `*`: this person alone, in all projects"),
  closes_work: z.array(field.textOrNumber(20)).max(50).optional().describe("Work it ends: `W#17`"),
  trigger: field.trigger().optional(),
  visibility: z
    .enum([...VISIBILITIES, "global"])
    .optional()
    .describe("The project by default; `team`: all projects need it"),
  ...gitFields,
});

export type RememberArguments = z.output<typeof input>;
