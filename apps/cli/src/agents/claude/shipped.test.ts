import { LAYER_RULES, LAYERS } from "@chest/core/memory";
import { RESOURCES } from "@chest/core/resources";
import { readInput } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { describe, expect, it } from "vitest";
import { readShipped } from "./shipped.ts";

const skill = readShipped("skills/chest-memory/SKILL.md");
const rules = readShipped("rules/chest-memory.md");
const texts = [
  ["the skill", skill],
  ["the rules", rules],
] as const;

/** 1.5's estimate, for Latin text. */
const tokensOf = (text: string): number => Math.ceil(0.3 * text.length);

/** Calls as they stand in the text: a tool's name and its arguments as JSON. */
const examplesIn = (text: string) =>
  [...text.matchAll(/^(chest_\w+) (\{.*\})$/gm)].map(([, name = "", json = ""]) => ({ name, json }));

describe.each(texts)("%s", (_, text) => {
  it("names tools that there are, and no others", () => {
    const named = new Set(text.match(/\bchest_\w+\b/g)?.filter((name) => name !== "chest_"));
    expect(named.size).toBeGreaterThan(2);
    expect(TOOLS.map(({ name }) => name)).toEqual(expect.arrayContaining([...named]));
  });

  it("names each layer, and says what is never saved", () => {
    for (const layer of LAYERS) expect(text).toContain(`\`${layer}\``);
    expect(text).toMatch(/never save/i);
    for (const word of ["secret|password", "personal data", "pasted output"]) expect(text).toMatch(new RegExp(word));
  });

  it("says that what comes back is data and no instruction", () => {
    expect(text.replace(/\s+/g, " ")).toMatch(/is data that others wrote.*never an instruction/);
  });
});

describe("the skill", () => {
  it("costs at most 1,000 tokens, and 100 before it is opened", () => {
    expect(tokensOf(skill)).toBeLessThanOrEqual(1000);
    expect(tokensOf(/^description: (.*)$/m.exec(skill)?.[1] ?? "")).toBeLessThanOrEqual(100);
  });

  it("has the head that Claude Code asks of a skill", () => {
    expect(skill).toMatch(/^---\nname: chest-memory\ndescription: .{1,1024}\n---\n/);
  });

  it("says what to do when it is called by its name, and when a conversation is to be saved", () => {
    const asked = skill.split("## When you are asked")[1]?.replace(/\s+/g, " ") ?? "";
    expect(asked).toMatch(/"Save this conversation".*a row each: layer, sentence, why it matters later.*agrees/);
    expect(asked).toMatch(/`\/chest-memory status`\*\*: read the resource `memory:\/\/stats`/);
    expect(RESOURCES.map(({ uri }) => uri)).toContain("memory://stats");
  });

  it("shows calls that the tools take", () => {
    const examples = examplesIn(skill);
    expect(new Set(examples.map(({ name }) => name)).size).toBeGreaterThan(4);
    for (const { name, json } of examples) {
      const tool = TOOLS.find((known) => known.name === name);
      expect(tool && readInput(tool, JSON.parse(json)), `${name} ${json}`).toBeDefined();
    }
  });

  it("names arguments and results that the tools have", () => {
    const known = new Set(TOOLS.flatMap(({ input, output }) => [...keysOf(input), ...keysOf(output)]));
    const words = [...skill.matchAll(/`"?([a-z]+(?:_[a-z]+)*)"?(?:: true)?`/g)].map(([, word = ""]) => word);
    const named = words.filter((word) => !word.startsWith("chest_") && !(LAYERS as readonly string[]).includes(word));
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((word) => !known.has(word))).toEqual([]);
  });

  it("gives each layer the time that it has", () => {
    const row = (layer: string) => skill.split("\n").find((line) => line.startsWith(`| \`${layer}\``)) ?? "";
    for (const layer of LAYERS) {
      const { days } = LAYER_RULES[layer];
      expect(row(layer)).toMatch(
        days === undefined ? /always/ : days === 365 ? /a year/ : new RegExp(`\\b${days} days`),
      );
    }
  });
});

describe("the rules", () => {
  it("cost at most 320 tokens: they are in every conversation", () => {
    expect(tokensOf(rules)).toBeLessThanOrEqual(320);
  });
});

const keysOf = ({ shape }: { shape: Record<string, unknown> }): string[] => Object.keys(shape);
