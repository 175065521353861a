import { z } from "zod";
import { counted, dayOf, noticedBlock, otherKeys } from "../answers/answer-text.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import { round } from "../answers/wire.ts";
import { ENTITY_KINDS } from "../memory/entity.ts";
import { defineTool } from "../tool.ts";
import * as field from "./fields.ts";

const input = z.object({
  kind: z.enum(ENTITY_KINDS).optional(),
  min_memories: z.int().min(0).default(1),
  limit: z.int().min(1).max(200).default(30),
  offset: z.int().min(0).default(0),
  project: field.askedProject(),
});

const layers = z.object({
  goal: z.int(),
  context: z.int(),
  emotion: z.int(),
  implementation: z.int(),
  realize: z.int(),
  learning: z.int(),
});

const output = z.looseObject({
  ok: z.literal(true),
  total: z.int(),
  returned: z.int(),
  offset: z.int(),
  has_more: z.boolean(),
  entities: z.array(
    z.looseObject({
      id: z.int(),
      name: z.string(),
      kind: z.string(),
      canonical_key: z.string().nullable(),
      momentum: z.number(),
      memory_count: z.int(),
      last_memory_access: z.string().nullable(),
      pinned_count: z.int(),
      layer_breakdown: layers,
    }),
  ),
});

export const listEntities = defineTool({
  name: "chest_list_entities",
  title: "chest: list entities",
  description:
    "What there are memories about: people, projects, files, concepts, most active first, with counts by layer. Use to get an overview or to find an entity's exact name. Not to read memories: recall them.",
  input,
  output,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },

  text: listedText,

  async run({ kind, min_memories, limit, offset, project }, { store }) {
    const { total, entities } = await store.entities.list({
      reach: field.readReach(project),
      kind,
      minMemories: min_memories,
      limit,
      offset,
    });
    return {
      ok: true as const,
      total,
      returned: entities.length,
      offset,
      has_more: offset + entities.length < total,
      entities: entities.map((entity) => ({
        id: entity.id,
        name: entity.name,
        kind: entity.kind,
        canonical_key: entity.canonicalKey ?? null,
        momentum: round(entity.momentum, 2),
        memory_count: entity.memoryCount,
        last_memory_access: entity.lastMemoryAccessAt?.toISOString() ?? null,
        pinned_count: entity.pinnedCount,
        layer_breakdown: entity.layers,
      })),
    };
  },
});

type Listed = z.output<typeof output>;

function listedText({ ok, total, returned, offset, has_more: hasMore, entities, ...others }: Listed): string {
  const of = total > returned ? ` of ${total}` : "";
  return [
    total === 0 ? "there are no entities" : `${returned}${of} ${total === 1 ? "entity" : "entities"}`,
    ...noticedBlock(entities.map(entityLine)),
    ...(hasMore ? [`more: \`offset\` ${offset + returned}`] : []),
    ...otherKeys(others),
  ].join("\n");
}

function entityLine(entity: Listed["entities"][number]): string {
  const { name, kind, canonical_key: key, memory_count: count, pinned_count: pinned } = entity;
  const { last_memory_access: last, layer_breakdown: layers, momentum } = entity;
  const facts = [
    counted(count, "memory", "memories"),
    ...Object.entries(layers).flatMap(([layer, of]) => (of > 0 ? `${of} ${layer}` : [])),
    ...(pinned > 0 ? [`${pinned} pinned`] : []),
    `momentum ${momentum}`,
    ...(last === null ? [] : [`used ${dayOf(last)}`]),
    ...(key === null ? [] : [`key ${key}`]),
  ];
  return framed(`${name} (${kind}): ${facts.join(", ")}`);
}
