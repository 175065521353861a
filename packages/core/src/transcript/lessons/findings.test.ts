import { transcriptOf } from "@chest/testing";
import { describe, expect, it } from "vitest";
import { readCarry } from "../carry.ts";
import { Extraction } from "../extract.ts";
import { slimLine } from "../slim.ts";

const KNOWLEDGE = new Set(["decision", "finding"]);

/** An agent at work: a request, a command, then what it says. */
function session(...sayings: readonly string[]): string[] {
  const { user, says, runs, result } = transcriptOf("s");
  return [
    user("Look into the nightly job, please."),
    runs("make logs", "t1"),
    result("t1"),
    ...sayings.map((text) => says(text)),
  ];
}

function read(lines: readonly string[], extraction = new Extraction()) {
  const found = [...lines.map((line) => extraction.take(line)), extraction.end()];
  return found.flatMap(({ candidates }) => candidates).filter(({ rule }) => KNOWLEDGE.has(rule));
}
const kept = (...sayings: readonly string[]) => read(session(...sayings)).map(({ text }) => text);

describe("what an agent finds out", () => {
  it.each([
    "Root cause: the courier acknowledges a parcel after the commit, so a crash in between sends it twice.",
    "The reason for the empty report was that the cache key lacked the tenant.",
    "`readTariff()` returns null for an empty file instead of throwing, so the importer writes an empty price list.",
    "The proxy silently drops headers over 8 KB, which is why the signature never arrives at `verifyHook`.",
    "The two failures in `ledger.spec.ts` are pre-existing: they need the sandbox of the bank.",
    "We kept the old route as an alias because two consumers of `/v1/rates` cannot be redeployed.",
    "To run the integration tests, start `docker compose up ledger-db` first.",
    "Releases go out with `make ship`, the pipeline only builds them.",
    "The nightly export of the ledger was slow because each line opened its own connection to the bank.",
    "The flaky upload test came from two suites that share port 4173; each has its own now.",
    "Reason for the rejected parcels: the scale rounds to 100 grams, and the courier does not.",
    "The tariff endpoint reads at most 50 rows of `tariffs.csv` and silently drops the rest.",
    "The mirror in Oslo cannot serve uploads because its disk is mounted read-only.",
    "`maxRows` を 50 より大きくしても、残りは黙って捨てられます。",
    "`maxRows` 超过 50 时，多余的行会被静默丢弃。",
    "`maxRows`가 50을 넘으면 나머지는 조용히 버려집니다.",
    "原因は、コミットの前に通知が送られていたことでした。",
    "`readTariff` は空のファイルで例外を投げずに null を返すため、価格表が空になります。",
    "`ledger.spec.ts` の失敗は以前からのもので、銀行のサンドボックスが必要です。",
    "根本原因：缓存的键里没有租户编号，所以返回了别人的报表。",
    "`readTariff` 遇到空文件时返回 null 而不是抛出异常，因此价格表会变成空的。",
    "근본 원인: 캐시 키에 테넌트가 없어서 다른 고객의 보고서가 반환되었습니다.",
    "`readTariff`는 빈 파일에서 예외를 던지지 않고 null을 반환하기 때문에 가격표가 비게 됩니다.",
  ])("is a memory: %s", (text) => {
    expect(kept(text)).toEqual([text]);
  });

  it.each([
    "The build was slow because of the cold cache, I think.",
    "The first edit failed because the file had changed in between.",
    "The command timed out because it waits for a password.",
    "The last commit was rejected because the hook found blanks at the end of `a.md`.",
    "The test cannot run yet because the container is still starting.",
    "Let me look at the courier first, because the label may be printed there.",
    "The nightly job seems to fail because of `TZ`, but I am not sure yet.",
    "I'll change `readTariff()` so that it throws instead of returning null.",
    "All 212 tests pass now, so the change is complete.",
    "Added the tenant to the cache key in `report.ts` because it was missing.",
    "Would you rather keep the alias, because two consumers use it?",
    "You can either raise the limit of the proxy or send fewer headers, because both work.",
    "Here is why the job fails in `nightly.ts`:",
    "| cause | `readTariff` returns null instead of throwing |",
    "The mock in `ledger.spec.ts` should be updated because it is missing a field.",
    "`readTariff` は `import.ts` でしか使われていないため、名前を変えても安全です。",
    "`readTariff` 只在 `import.ts` 里使用，所以改名不受影响。",
    "`readTariff`는 `import.ts`에서만 쓰이므로 이름을 바꿔도 안전합니다.",
    "まず `readTariff` の処理を確認します。",
    "日付の形式が原因かもしれません。",
    "キャッシュのキーにテナントを追加しました。",
    "可能是时区的问题，我先看一下 `nightly.ts`。",
    "接下来修改 `readTariff`，因为它返回 null。",
    "아마 시간대 문제일 것 같으니 `nightly.ts`를 확인하겠습니다.",
    "캐시 키에 테넌트를 추가했습니다.",
  ])("is none where it is a plan, a guess, an offer or a tale of the work: %s", (text) => {
    expect(kept(text)).toEqual([]);
  });

  it("is one memory with the sentence that completes it, and with what it is said again in", () => {
    const cause = "Root cause: the courier acknowledges a parcel after the commit, so a crash sends it twice.";
    expect(
      kept(
        `${cause} Fixed by acknowledging it before the commit.`,
        "Done. The root cause was that the courier acknowledges a parcel after the commit, so a crash sends it twice.",
      ),
    ).toEqual([`${cause} Fixed by acknowledging it before the commit.`]);
  });

  it("is two statements of a turn at most: more are an essay", () => {
    const points = [
      "- Root cause: the courier acknowledges a parcel after the commit, so a crash sends it twice.",
      "- Root cause: `readTariff()` returns null for an empty file, so no price is written.",
      "- Root cause: the proxy drops headers over 8 KB, so the signature never arrives.",
    ];
    expect(kept(points.join("\n"))).toHaveLength(2);
  });

  it("is none in a long list, where a review is retold", () => {
    const point =
      "`courier.service.ts` uses the stale `parcel.sequence` instead of the fresh `answer.sequence`, so labels are lost.";
    const others = Array.from({ length: 10 }, (_, nth) => `${nth + 2}. The label of box ${nth} is not printed`);
    const retold = `Still unresolved:\n\n1. **Sequence number** — ${point}\n${others.join("\n")}\n\nShall I go on?`;
    expect(kept(retold)).toEqual([]);
    expect(kept(`1. ${point}\n2. The label of box 1 is not printed`)).toEqual([point]);
  });

  it.each(["## Next", "## 変更", "**总结**：", "### 요약"])("needs more as a point under %s", (heading) => {
    const statement = "The depot ignores `tariff.yaml` after its start, so a changed price is lost.";
    expect(kept(statement)).toEqual([statement]);
    expect(kept(`${heading}\n\n- ${statement}`)).toEqual([]);
  });

  it.each(["Right — ", "Good catch: ", "Hmm, ", "Yes, "])("begins with its subject, and not with %j", (nod) => {
    const statement = "The courier ignores `tariff.yaml` while it runs, because the loader keeps a copy of it.";
    expect(kept(`${nod}${nod.endsWith(": ") ? statement : statement.replace("The", "the")}`)).toEqual([statement]);
  });

  it.each([
    "The tariff is read once at the start of `courier`, so it correctly shows the old price here.",
    "`priceOf` takes two arguments since the merge, but is called with one, so the build is red.",
    "Since both parcels are marked as sent, the courier does not look at them again, which is what the test says.",
    "ステージングはされているが、`depot.ts` はまだコミットされていないため、差分に出ません。",
    "`depot.ts` 已经暂存，但是还没有提交，所以不会出现在差异里。",
    "`depot.ts`는 스테이징만 되고 커밋되지 않아서 비교에 나오지 않습니다.",
  ])("is none where it tells of the moment: %s", (text) => {
    expect(kept(text)).toEqual([]);
  });

  it.each([
    "`mail.relay` が設定されているため `depot register` が拒否され、通知先は更新されません。",
    "The sidebar was renamed from `nav` to `rail`, so a selector with the old name finds nothing.",
    "The scanner matches folders by prefix, so `zones-old` is treated as part of `zones`.",
  ])("is what a thing does, what it was changed to, or what stops it: %s", (text) => {
    expect(kept(text)).toEqual([text]);
  });

  it("is not completed by what the agent is going to do", () => {
    const statement = "The depot ignores `tariff.yaml` after its start, so a changed price is lost.";
    const plan = "I must not forget to tell the team, because they change it every day.";
    expect(kept(`${statement} ${plan}`)).toEqual([statement]);
  });

  it("needs more to be one in a turn that says much", () => {
    const statement =
      "`tariff.yaml` is read only when the courier starts, so a changed price has no effect until the service is restarted.";
    const tale = Array.from({ length: 25 }, (_, nth) => `Added the page number ${nth} of the handbook.`).join(" ");
    expect(kept(statement)).toEqual([statement]);
    expect(kept(`${statement}\n\n${tale}`)).toEqual([]);
  });

  it("is less in talk alone, where no tool was used", () => {
    const { user, says } = transcriptOf("s");
    const said = "Git needs a common ancestor to merge, because two branches without one have nothing to compare.";
    expect(read([user("Why is that so?"), says(said)])).toEqual([]);
  });

  it("is the same whether the lines come at once, one by one with the carry between, or slimmed", () => {
    const lines = session(
      "Root cause: the courier acknowledges a parcel after the commit, so a crash in between sends it twice.",
      "The two failures in `ledger.spec.ts` are pre-existing: they need the sandbox of the bank.",
    );
    const whole = read(lines);
    expect(whole).toHaveLength(2);
    let carry: string | undefined;
    const single = lines.flatMap((line) => {
      const extraction = new Extraction(readCarry(carry));
      const { candidates } = extraction.take(line);
      carry = JSON.stringify(extraction.carry());
      return candidates.filter(({ rule }) => KNOWLEDGE.has(rule));
    });
    expect(single).toEqual(whole);
    expect(read(lines.map(slimLine))).toEqual(whole);
  });
});
