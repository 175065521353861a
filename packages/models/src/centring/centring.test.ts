import { isSameIdentity, KNOWN_IDENTITIES } from "@chest/core/embedding";
import { expect, it } from "vitest";
import { openEmbedders } from "../embedders.ts";
import { KNOWN_EMBEDDERS } from "../known-models.ts";
import { readEmbedder } from "../read-spec.ts";
import { identityOf } from "../spec.ts";
import { CENTRED_LANGUAGES, languageOf, readCentring, TEXT_KINDS } from "./centring.ts";

const DIMENSIONS = 384;
const [, E5] = KNOWN_EMBEDDERS;

it.each([
  ["The deploy job reads its token from the vault.", "en"],
  ["Der Auftrag liest sein Token aus dem Tresor.", "en"],
  ["", "en"],
  ["🙂🙂 12:30", "en"],
  ["デプロイのジョブは Vault からトークンを読む。", "ja"],
  ["部署任务从 Vault 读取令牌，超时为 30 秒。", "zh"],
  ["배포 작업은 Vault 에서 토큰을 읽는다.", "ko"],
  ["The page says 保存 on its button, and nothing else is shown to those who read it.", "en"],
])("reads the language of %o by its letters", (text, language) => {
  expect(languageOf(text)).toBe(language);
});

it("moves vectors of each kind and language by another offset, and keeps their length", () => {
  const centred = readCentring("e5-small", DIMENSIONS);
  const vector = new Float32Array(DIMENSIONS).fill(Math.sqrt(1 / DIMENSIONS));
  const texts = { en: "a lock", ja: "ロック", zh: "锁定", ko: "잠금" };
  const moved = TEXT_KINDS.flatMap((kind) =>
    CENTRED_LANGUAGES.map((language) => centred(vector, texts[language], kind)),
  );
  for (const one of moved) expect(Math.hypot(...one)).toBeCloseTo(1, 5);
  expect(new Set(moved.map((one) => one.join())).size).toBe(moved.length);
});

it("refuses a name that has no centres, and vectors of another size", () => {
  expect(() => readCentring("none", DIMENSIONS)).toThrow("there are no centres named none");
  expect(() => readCentring("e5-small", DIMENSIONS + 1)).toThrow("not of 385 numbers");
});

it("gives multilingual-e5-small an identity of its own, at the hub's commit", () => {
  const { revision, variant } = E5 ?? {};
  expect(revision).toMatch(/^[0-9a-f]{40}$/);
  expect(variant).toBe("centred-1");
  expect(KNOWN_IDENTITIES.some((known) => E5 && isSameIdentity(known, identityOf(E5)))).toBe(true);
});

it("still embeds for a store whose vectors of e5-small were made before they were centred", async () => {
  const choice = readEmbedder({ CHEST_EMBED_MODEL: "Xenova/multilingual-e5-small" });
  if (typeof choice === "string" || !E5) throw new Error("e5-small is known");
  const models = openEmbedders(choice, { modelsDir: "/nowhere" });
  const { variant: _, ...former } = E5;
  expect(models.of(identityOf(former)).identity).toEqual(identityOf(former));
  expect(models.of(identityOf(E5)).identity).toEqual(choice.identity);
  await models.close();
});
