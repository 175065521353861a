import { expect, it } from "vitest";
import { fold } from "./fold.ts";

it("folds case and Latin diacritics", () => {
  expect(fold("Naïve CRÈME Ångström İstanbul")).toBe("naive creme angstrom istanbul");
});

it("keeps dakuten, Hangul syllables and Cyrillic letters", () => {
  expect(fold("デプロイ がぎ 배포 Йод")).toBe("デプロイ がぎ 배포 йод");
});
