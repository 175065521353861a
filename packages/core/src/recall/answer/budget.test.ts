import { describe, expect, it } from "vitest";
import { estimateTokens, leastTokens } from "../../text/tokens.ts";
import { type Offer, pack } from "./budget.ts";

/** An item of so many tokens. */
const item = (name: string, tokens: number) => {
  const made = { name, text: "" };
  while (estimateTokens(JSON.stringify(made)) < tokens) made.text += " x";
  return { leastTokens: leastTokens(made.text), make: () => made };
};
/** The names of those that were looked at and not taken. */
const passedOver = (
  items: readonly Offer<{ readonly name: string }>[],
  { selected, examined }: { readonly selected: readonly { readonly name: string }[]; readonly examined: number },
) =>
  names(
    items
      .slice(0, examined)
      .map(({ make }) => make())
      .filter((each) => !selected.includes(each)),
  );
const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name).join("");

describe("a page", () => {
  it("takes everything that fits, and says that this was the end", async () => {
    const page = await pack([item("a", 50), item("b", 50)], 200, 10);
    expect([names(page.selected), page.examined, page.stoppedBy]).toEqual(["ab", 2, "end"]);
  });

  it("stops at its limit only when there is more", async () => {
    const items = [item("a", 20), item("b", 20)];
    expect((await pack(items, 1000, 2)).stoppedBy).toBe("end");
    expect(await pack(items, 1000, 1)).toMatchObject({ stoppedBy: "limit", examined: 1 });
  });

  it("stops when less than a crumb is left", async () => {
    expect(await pack([item("a", 80), item("b", 20)], 119, 10)).toMatchObject({ examined: 1, stoppedBy: "tokens" });
    expect(await pack([item("a", 80), item("b", 20)], 120, 10)).toMatchObject({ examined: 2, stoppedBy: "end" });
  });

  it("stops when less is left than any item takes, and has its first even then", async () => {
    const items = [item("a", 100), item("b", 100), item("c", 90)];
    const page = await pack(items, 205, 10, { leastItem: 110 });
    expect([names(page.selected), page.examined, page.stoppedBy]).toEqual(["a", 1, "tokens"]);
    const small = await pack(items, 100, 10, { leastItem: 110 });
    expect([names(small.selected), small.examined, small.stoppedBy]).toEqual(["a", 1, "tokens"]);
  });

  it("passes over what is too long and tries the next", async () => {
    const items = [item("a", 50), item("b", 500), item("c", 50)];
    const page = await pack(items, 200, 10);
    expect([names(page.selected), passedOver(items, page), page.examined, page.stoppedBy]).toEqual([
      "ac",
      "b",
      3,
      "tokens",
    ]);
  });

  it("leaves to the next page what that one has room for", async () => {
    const items = [item("a", 120), item("b", 120), item("c", 120)];
    const page = await pack(items, 200, 10);
    expect([names(page.selected), passedOver(items, page), page.examined, page.stoppedBy]).toEqual([
      "a",
      "",
      1,
      "tokens",
    ]);
  });

  it("names at its end what no page has room for", async () => {
    const items = [item("a", 50), item("b", 500)];
    const page = await pack(items, 200, 10);
    expect([names(page.selected), passedOver(items, page), page.examined, page.stoppedBy]).toEqual([
      "a",
      "b",
      2,
      "tokens",
    ]);
    const three = [item("a", 120), item("b", 500), item("c", 120)];
    const between = await pack(three, 200, 10);
    expect([names(between.selected), passedOver(three, between), between.examined]).toEqual(["a", "b", 2]);
  });

  it("has its first always, at half of the page if it may be cut", async () => {
    const items = [item("a", 500), item("b", 90), item("c", 90)];
    const page = await pack(items, 200, 10, { mayCut: true });
    expect([names(page.selected), page.examined, page.stoppedBy]).toEqual(["ab", 2, "tokens"]);
    expect(names((await pack([item("a", 90), item("b", 500)], 200, 10, { mayCut: true })).selected)).toBe("a");
  });

  it("has one item always, whole, however long", async () => {
    const items = [item("a", 500), item("b", 600)];
    const page = await pack(items, 200, 10);
    expect([names(page.selected), passedOver(items, page), page.examined, page.stoppedBy]).toEqual([
      "a",
      "b",
      2,
      "tokens",
    ]);
    expect(await pack([item("a", 500)], 200, 10)).toMatchObject({ examined: 1, stoppedBy: "end" });
  });

  it("does not look through everything for what would fill its last gap", async () => {
    let looked = 0;
    const items = [item("a", 120), ...Array.from({ length: 500 }, () => item("b", 120)), item("c", 50)];
    const counted = items.values().map((each) => {
      looked += 1;
      return each;
    });
    const page = await pack(counted, 200, 10);
    expect([names(page.selected), passedOver(items, page), page.examined, page.stoppedBy]).toEqual([
      "a",
      "",
      1,
      "tokens",
    ]);
    expect(looked).toBeLessThan(30);
  });

  it("of nothing is empty", async () => {
    expect(await pack([], 200, 10)).toEqual({ selected: [], examined: 0, stoppedBy: "end" });
  });

  it("never costs more than its budget, and pages together give each item once", async () => {
    const items = Array.from({ length: 40 }, (_, i) => item(`${i},`, 30 + ((i * 37) % 150)));
    let shown = "";
    for (let at = 0; at < items.length; ) {
      const page = await pack(items.slice(at), 300, 10);
      const cost = page.selected.reduce((sum, each) => sum + estimateTokens(JSON.stringify(each)), 0);
      expect(cost).toBeLessThanOrEqual(300);
      shown += names(page.selected) + passedOver(items.slice(at), page);
      at += page.examined;
    }
    expect(shown.split(",").toSorted()).toEqual(
      names(items.map(({ make }) => make()))
        .split(",")
        .toSorted(),
    );
  });
});
