import { ChestError } from "@chest/contracts";
import { wellFormed } from "../text/characters.ts";

export const LAYERS = ["goal", "context", "emotion", "implementation", "realize", "learning"] as const;
export type Layer = (typeof LAYERS)[number];

interface LayerRule {
  /** Lifetime in days; undefined: it does not expire. */
  readonly days: number | undefined;
  readonly isProtected: boolean;
  readonly aliases: readonly string[];
}

export const LAYER_RULES: Readonly<Record<Layer, LayerRule>> = {
  goal: { days: undefined, isProtected: true, aliases: ["goals", "why", "target", "targets", "intent"] },
  realize: {
    days: undefined,
    isProtected: true,
    aliases: ["warning", "warnings", "pain", "rule", "rules", "pitfall", "pitfalls", "dont"],
  },
  learning: {
    days: 365,
    isProtected: false,
    aliases: ["learned", "decision", "decisions", "insight", "insights", "growth"],
  },
  implementation: {
    days: 90,
    isProtected: false,
    aliases: ["impl", "success", "failure", "how", "tried", "attempts"],
  },
  context: { days: 30, isProtected: false, aliases: ["background", "reason", "situation", "timing"] },
  emotion: { days: 14, isProtected: false, aliases: ["tone", "feelings", "mood"] },
};

const BY_WORD = new Map<string, Layer>(
  LAYERS.flatMap((layer) => [layer, ...LAYER_RULES[layer].aliases].map((word) => [word, layer] as const)),
);

/** The layer a word stands for, aliases included, in any case; `INVALID_INPUT` for an unknown one. */
export function readLayer(word: string): Layer {
  const layer = BY_WORD.get(word.trim().toLowerCase());
  if (layer) return layer;
  const given = wellFormed(word.slice(0, 80));
  throw new ChestError("INVALID_INPUT", `layer: \`${given}\` is not a layer`, {
    hint: `use one of ${LAYERS.join(", ")}`,
    details: { field: "layer", given, known: LAYERS },
  });
}

const DAY_MS = 86_400_000;

/** Expiry of a memory by the lifetime of its layer; undefined for never. */
export function expiryOf(layer: Layer, from: Date): Date | undefined {
  const { days } = LAYER_RULES[layer];
  return days === undefined ? undefined : daysAfter(from, days);
}

export const daysAfter = (from: Date, days: number): Date => new Date(from.getTime() + days * DAY_MS);
