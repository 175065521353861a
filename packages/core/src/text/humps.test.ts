import { expect, it } from "vitest";
import { splitHumps } from "./humps.ts";

it.each([
  ["parseHTMLFile", ["parse", "HTML", "File"]],
  ["AcmeAPI", ["Acme", "API"]],
  ["S3Bucket", ["S3", "Bucket"]],
  ["E2E", ["E2E"]],
  ["plain", ["plain"]],
])("splits %s", (identifier, parts) => {
  expect(splitHumps(identifier)).toEqual(parts);
});
