import { aMemory } from "@chest/testing";
import { describe, expect, it } from "vitest";
import { DEFAULT_RANKING, mayOutrankExact } from "./ranking.ts";
import { score } from "./score.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const DAY_MS = 86_400_000;
const before = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const scored = (over: Parameters<typeof aMemory>[0], relevance = 1, heat = 27.5, ignoreDecay = false) =>
  score(aMemory(over), relevance, heat, NOW, DEFAULT_RANKING, ignoreDecay);

describe("a score", () => {
  it("is the relevance times the weighted sum of the others, times the factors", () => {
    const entity = { id: 1, name: "acme", kind: "project", momentum: 5 } as const;
    const activation = { score: 0.5, computedAt: NOW };
    const { composite, ...parts } = scored({ entity, activation, importance: 0.4, expiresAt: before(1) }, 0.8, 50);
    expect(parts).toEqual({
      relevance: 0.8,
      heat: 0.5,
      momentum: 0.5,
      importance: 0.4,
      activation: 0.985,
      ttlPenalty: Math.exp(-1 / 14),
      supersessionPenalty: 1,
    });
    const worth = 0.93 + 0.05 * 0.5 + 0.005 * 0.5 + 0.015 * 0.4;
    expect(composite).toBeCloseTo(0.8 * worth * 0.985 * Math.exp(-1 / 14), 10);
  });

  it.each([
    ["not expired", { expiresAt: new Date(NOW.getTime() + 1) }, 1],
    ["without an end", {}, 1],
    ["expired now", { expiresAt: NOW }, 1],
    ["a day over", { expiresAt: before(1) }, Math.exp(-1 / 14)],
    ["years over", { expiresAt: before(3000) }, 0.9],
    ["over, but a pitfall", { expiresAt: before(3000), layer: "realize" }, 1],
    ["over, but pinned", { expiresAt: before(3000), importance: 0.9 }, 1],
  ] as const)("of a memory %s has its ttl factor", (_, over, factor) => {
    expect(scored(over).ttlPenalty).toBeCloseTo(factor, 10);
  });

  it("takes a stale activation for what it is, but not of what is protected", () => {
    const activation = { score: 0, computedAt: before(300) };
    expect(scored({ activation }).activation).toBe(0.97);
    expect(scored({ activation, layer: "goal" }).activation).toBe(1);
    expect(scored({}).activation).toBe(1);
  });

  it("without decay has factors of 1", () => {
    const faded = {
      activation: { score: 0, computedAt: NOW },
      expiresAt: before(900),
      archivedAt: NOW,
      supersededById: 9,
    };
    expect(scored(faded)).toMatchObject({ supersessionPenalty: 0.25 });
    expect(scored(faded, 1, 0, true)).toMatchObject({ activation: 1, ttlPenalty: 1, supersessionPenalty: 1 });
  });

  it("counts no momentum beyond ten", () => {
    expect(scored({ entity: { id: 1, name: "a", kind: "other", momentum: 25 } }).momentum).toBe(1);
  });

  it("of a cold exact answer is above any hot one of half its relevance", () => {
    const cold = scored({ importance: 0, activation: { score: 0, computedAt: NOW } }, 1, 0);
    const busy = { id: 2, name: "busy", kind: "project", momentum: 10 } as const;
    const hot = scored({ importance: 1, entity: busy, activation: { score: 1, computedAt: NOW } }, 0.5, 100);
    expect(cold.composite).toBeGreaterThan(hot.composite);
  });
});

describe("a ranking", () => {
  it("by default buries no exact answer", () => {
    expect(mayOutrankExact(DEFAULT_RANKING)).toBe(false);
  });

  it.each([
    ["the reference's weights", { relevance: 0.45, heat: 0.25, momentum: 0.15, importance: 0.15 }, 0.9],
    ["bare activation", DEFAULT_RANKING.weights, 0],
    ["no weight for relevance", { relevance: 0, heat: 0.5, momentum: 0.25, importance: 0.25 }, 1],
  ])("with %s may", (_, weights, activationFloor) => {
    expect(mayOutrankExact({ weights, activationFloor })).toBe(true);
  });
});
