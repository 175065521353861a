import { describe, expect, it } from "vitest";
import { EXPORTS } from "./export-format.ts";

const memory = {
  ...{ id: 7, title: "Port", content: 'It is "8080",\nsince May.', layer: "learning", entity: { name: "net" } },
  ...{ tags: ["a", "b"], importance: 0.5, created_at: 1_700_000_000 },
};

describe("an export of chosen memories", () => {
  it("is CSV whose cells keep quotes and lines, and run no formula", () => {
    const [head, ...rest] = EXPORTS.csv.write([memory, { ...memory, content: "=1+1" }]).split("\r\n");

    expect(head).toBe("id,title,content,layer,entity,tags,importance,created_at");
    expect(rest).toEqual([
      '"7","Port","It is ""8080"",\nsince May.","learning","net","a b","0.5","2023-11-14T22:13:20.000Z"',
      '"7","Port","\'=1+1","learning","net","a b","0.5","2023-11-14T22:13:20.000Z"',
    ]);
  });

  it("is Markdown with a heading each, and JSON with everything", () => {
    expect(EXPORTS.md.write([memory])).toBe(
      '## Port\n\nIt is "8080",\nsince May.\n\n*#7 · learning · net · #a · #b · 2023-11-14T22:13:20.000Z*',
    );
    expect(JSON.parse(EXPORTS.json.write([memory]))).toMatchObject([{ id: 7, entity: "net", tags: ["a", "b"] }]);
  });
});
