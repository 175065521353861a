import { expect, it } from "vitest";
import { normaliseName } from "./entity-name.ts";

it.each(["AcmeAPI", "acme-api", "Acme API", "acme_api", "  ACME\t api ", "ＡｃｍｅＡＰＩ", "acmeApi"])(
  "finds %j under acme api",
  (name) => {
    expect(normaliseName(name)).toBe("acme api");
  },
);

it.each([
  ["docs.acme.io", "docs.acme.io"],
  ["parseHTMLFile", "parse html file"],
  ["S3Bucket", "s3 bucket"],
  ["E2E", "e2e"],
  ["src/auth/login.test.ts", "src/auth/login.test.ts"],
  ["Zoë Ångström", "zoë ångström"],
  ["データベース", "データベース"],
  ["--", ""],
])("normalises %j to %j, and that to itself", (name, normal) => {
  expect(normaliseName(name)).toBe(normal);
  expect(normaliseName(normal)).toBe(normal);
});

it("bounds its work for a long name", () => {
  expect(normaliseName("aB".repeat(50_000))).toHaveLength(150_000);
  expect(normaliseName("_ ".repeat(50_000))).toBe("");
});
