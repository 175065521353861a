import { describe, expect, it } from "vitest";
import { KNOWN_IDENTITIES } from "../embedding/known-models.ts";
import type { EmbeddingIdentity } from "../ports/embedder.ts";
import type { Filter } from "../ports/search.ts";
import type { ToolPorts } from "../tool.ts";
import { vectorLeg } from "./candidates.ts";
import { readQuery } from "./query.ts";

const FILTER: Filter = { reach: "here", withArchived: false, withSuperseded: false };
const HIT = { id: 1, score: 0.6, rank: 1 };

/** The leg by meaning over a store whose every row is near to every question. */
async function asked(text: string, model: string) {
  const active = KNOWN_IDENTITIES.find((known) => known.model === model) as EmbeddingIdentity;
  const texts: string[] = [];
  const ports = {
    embedders: () => ({
      identity: active,
      embedQuery: async (query: string) => {
        texts.push(query);
        return new Float32Array(active.dimensions).fill(1);
      },
    }),
    limits: { queryEmbedMs: 1000 },
    signal: new AbortController().signal,
    store: { search: { matchVector: async () => [HIT] } },
  } as unknown as ToolPorts;
  const { hits, degraded } = await vectorLeg(readQuery(text), { filter: FILTER, active }, ports, 10);
  return { hits, degraded, texts };
}

describe("a question that the model cannot read", () => {
  it.each(["休暇の日数は", "휴가는 며칠인가요", "假期有几天", "how many days of 休暇 are there"])(
    "is left to words, and nothing is missing then: %s",
    async (text) => {
      expect(await asked(text, "Xenova/all-MiniLM-L6-v2")).toEqual({ hits: undefined, degraded: [], texts: [] });
    },
  );

  it.each(["how many vacation days are there", "combien de jours de congé", "ERR_CLOCK_17 → exit 3"])(
    "is none in another script: %s",
    async (text) => {
      expect(await asked(text, "Xenova/all-MiniLM-L6-v2")).toEqual({ hits: [HIT], degraded: [], texts: [text] });
    },
  );

  it.each(["Xenova/bge-m3", "Xenova/multilingual-e5-small"])(
    "is none for a model of many languages: %s",
    async (model) => {
      expect(await asked("休暇の日数は", model)).toMatchObject({ hits: [HIT], texts: ["休暇の日数は"] });
    },
  );
});
