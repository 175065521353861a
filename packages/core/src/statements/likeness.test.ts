import { aMemory } from "@chest/testing";
import { expect, it } from "vitest";
import { likenessOf } from "./likeness.ts";

const told = (content: string) => aMemory({ content });

it("is 1 of the same words in another order, and 0 of others", () => {
  expect(likenessOf(told("deploy with terraform"), told("Terraform, deploy with"))).toBe(1);
  expect(likenessOf(told("deploy with terraform"), told("quick brown foxes jump"))).toBe(0);
  expect(likenessOf(told("数据库连接"), told("数据库迁移"))).toBeCloseTo(0.6);
});

it("says the same of two memories after many others were compared", () => {
  const many = Array.from({ length: 2000 }, (_, nth) =>
    told(`note ${nth} about topic${nth % 7} and shared words here`),
  );
  const first = many[0] as (typeof many)[0];
  const once = many.map((other) => likenessOf(told(first.content), told(other.content)));
  expect(many.map((other) => likenessOf(first, other))).toEqual(once);
  expect(many.map((other) => likenessOf(other, first))).toEqual(once);
  expect(new Set(once).size).toBeGreaterThan(1);
});
