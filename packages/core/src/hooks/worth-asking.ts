import { effectiveLength, noiseOf } from "../transcript/noise.ts";

const MIN_LENGTH = 8;
const CJK_WEIGHT = 3;
const BARE_COMMAND = /^(?:git|npm|npx|pnpm|yarn|cargo|go|make|docker|cd|ls)\s+[\w:./-]+(?:\s+[\w:./=-]+){0,2}$/i;

/** Whether a prompt says enough to be looked up. */
export function isWorthAsking(prompt: string): boolean {
  const plain = prompt.replace(/\s+/g, " ").trim();
  if (effectiveLength(plain, CJK_WEIGHT) < MIN_LENGTH) return false;
  return noiseOf(plain) === undefined && !BARE_COMMAND.test(plain);
}
