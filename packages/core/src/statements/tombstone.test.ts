import { describe, expect, it } from "vitest";
import { marksLike, marksOf, statementsIn, withoutForgotten } from "./tombstone.ts";

const SECRET = "a secret of this store";
/** Whether the tombstone of one text matches another text. */
function isKnown(forgotten: string, said: string, secret = SECRET): boolean {
  const marks = new Set(marksOf(forgotten, SECRET).map(({ hash, facts }) => `${hash} ${facts}`));
  return statementsIn(said)
    .flatMap((each) => marksLike(each, secret))
    .some(({ hash, facts }) => marks.has(`${hash} ${facts}`));
}

describe("what was forgotten is known again", () => {
  it.each([
    ["Run each migration twice before a release.", "run  every migration twice, before a release!"],
    ["The importer reads the manifests in order", "The importer read the manifest in order."],
    [
      "The nightly export of the ledger runs on the replica in Frankfurt and needs two hours",
      "The nightly export of the ledger always runs on the replica in Frankfurt and needs two hours",
    ],
    [
      "The nightly export of the ledger always runs on the replica in Frankfurt and needs two hours",
      "The nightly export of the ledger runs on the replica in Frankfurt and needs two hours",
    ],
    ["キャッシュは テナントごとに 分ける。", "キャッシュはテナントごとに分ける"],
    ["缓存必须按租户分开。", "缓存必须按租户分开"],
    ["캐시는 테넌트마다 나눈다.", "캐시는 테넌트마다 나눈다"],
    [
      "The cache key lacks the tenant. It is made in `key.ts`.",
      "Found it. The cache key lacks the tenant. It is made in `key.ts`. Next I fix it.",
    ],
    ["From now on never deploy on a Friday.", "from now on never deploy on a friday"],
    ["Releases go through make ship.", "The releases go through `make ship`."],
    ["배포는 `infra/`에서 한다.", "배포는 infra/에서 한다"],
    ["The lock is held by the importer", "Mended by editing lock.ts: The lock is held by the importer."],
  ])("%s — %s", (forgotten, said) => {
    expect(isKnown(forgotten, said)).toBe(true);
  });
});

describe("another statement is not", () => {
  it.each([
    ["Jobs are retried 3 times", "Jobs are retried 4 times"],
    ["The importer waits for the indexer", "The indexer waits for the importer"],
    ["The server binds to port -1", "The server binds to port 1"],
    [
      "The nightly export of the ledger runs on the replica in Frankfurt and needs two hours",
      "The nightly export of the ledger never runs on the replica in Frankfurt and needs two hours",
    ],
    [
      "The nightly export of the ledger runs on the replica in Frankfurt and needs two hours",
      "The nightly export of the ledger rarely runs on the replica in Frankfurt and needs two hours",
    ],
    [
      "The nightly export of the ledger runs on the replica in Frankfurt and needs two hours",
      "The nightly export of the books runs on the replica in Frankfurt and needs two hours",
    ],
    ["The cache is shared", "Is the cache shared?"],
    ["The cache key lacks the tenant. It is made in `key.ts`.", "The cache key lacks the tenant."],
    ["キャッシュは分ける", "キャッシュは分けない"],
    ["...", "..."],
  ])("%s — %s", (forgotten, said) => {
    expect(isKnown(forgotten, said)).toBe(false);
  });

  it("without the secret nothing can be tried out", () => {
    expect(isKnown("The cache is shared", "The cache is shared", "another secret")).toBe(false);
    const told = JSON.stringify(marksOf("The cache of heron is shared", SECRET));
    expect(told).not.toMatch(/cache|heron|share/i);
  });
});

it("a text is shown without what was forgotten, whatever stands around it", () => {
  const marks = marksOf("The cache key lacks the tenant. It is made in `key.ts`.", SECRET);
  const isForgotten = ({ hash, facts }: { hash: string; facts: string }) =>
    marks.some((mark) => mark.hash === hash && mark.facts === facts);
  const shown = (text: string) => withoutForgotten(text, SECRET, isForgotten);
  expect(
    shown(
      "A session began with: why is it slow?\nIt learned: The cache key lacks the tenant. It is made in `key.ts` | We use pnpm",
    ),
  ).toBe("A session began with: why is it slow?\nIt learned: [forgotten] | We use pnpm");
  expect(shown("The cache key lacks the tenant.")).toBe("The cache key lacks the tenant.");
  expect(shown("")).toBe("");
});

it.each([
  ["Asked for: mend it, the importer needs four workers", "Asked for: mend it, [forgotten]"],
  ["Olga wrote “The importer needs four workers” in the channel.", "Olga wrote “[forgotten]” in the channel."],
  ["> The importer needs four workers.", "> [forgotten]"],
  ["**Note:** the importer needs four workers – since May", "**Note:** [forgotten] – since May"],
  ["So the importer needs four workers.", "So [forgotten]"],
  ["The importer needs fourteen workers, not two", "The importer needs fourteen workers, not two"],
])("a statement that is quoted inside a sentence is left out, too: %s", (text, shown) => {
  const marks = marksOf("The importer needs four workers.", SECRET);
  const isForgotten = ({ hash, facts }: { hash: string; facts: string }) =>
    marks.some((mark) => mark.hash === hash && mark.facts === facts);
  expect(withoutForgotten(text, SECRET, isForgotten)).toBe(shown);
});
