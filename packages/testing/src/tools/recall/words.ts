import { expect, it } from "vitest";
import { anAgent } from "../../agent.ts";
import type { OpenEngine } from "../../contracts/engine-contract.ts";
import { engineFixture } from "../engine-fixture.ts";

/** Requirements on recall by words: other wordings, exact identifiers, and empty answers. */
export function recallWordsContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  it.each([
    ["an abbreviation", "k8s liveness probe", "the kubernetes liveness probe needs ten seconds"],
    ["the long form", "postgresql vacuum", "pg vacuum runs at night"],
    ["another language", "数据库 上限", "the database holds at most ten thousand tenants"],
    ["a language without blanks", "database replication", "数据库复制延迟超过五秒就告警"],
    ["words of more than one part", "メッセージキュー", "the message queue drops what is older than a day"],
    ["an English stem", "expired certificates", "the certificate expires in May"],
    ["a Korean noun without its particle", "배포 승인", "배포는 두 사람이 승인해야 한다"],
  ])("are found by %s", async (_, query, content) => {
    const agent = anAgent(fixture);
    const wanted = await agent.store(content);
    await agent.store("tabby cats sleep through the afternoon");
    expect((await agent.find(query))[0]).toBe(wanted);
  });

  it.each([
    ["a letter that is missing", "reconcilation narwhals"],
    ["letters that changed places", "reconciliatoin narwhals"],
    ["a letter too many", "reconcilliation narwhals"],
    ["a wrong letter", "recomciliation narwhals"],
  ])("find what was meant by a word that nobody wrote: %s", async (_, query) => {
    const agent = anAgent(fixture);
    const other = await agent.store("narwhals are counted at dawn");
    const meant = await agent.store("the reconciliation of narwhals is a matter of patience and of much counting");
    const answer = await agent.recall({ query });
    expect(answer).toMatchObject({ memories: [{ id: meant }, { id: other }], relaxed: true });
  });

  it("take a word as it is typed where somebody wrote it so, and guess by nothing that the asker does not see", async () => {
    const [alice, bob] = [anAgent(fixture), anAgent(fixture)];
    const typed = await alice.store("the markhorr service is named so");
    await alice.store("the markhor climbs");
    expect(await alice.find("markhorr")).toEqual([typed]);
    expect(await bob.find("markhorr")).toEqual([]);
    const own = await bob.store("the markhor sleeps");
    expect(await bob.find("markhorr")).toEqual([own]);
  });

  // Sentences of the Universal Declaration of Human Rights, of public manuals and of proverbs.
  it.each([
    [
      "one character of a word",
      "移",
      "すべて人は、自国その他いずれの国をも立ち去り、及び自国に帰る権利を有する。移行は段階的に行う。",
    ],
    ["one character in Japanese", "夜", "バックアップは深夜に実行される。"],
    ["one character in Chinese", "库", "数据库的备份保存在另一台机器上。"],
    ["one syllable in Korean", "법", "모든 사람은 법률의 보호를 받을 권리를 가진다."],
    ["a word inside a run of Thai", "อิสระ", "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ"],
    ["the first part of a German compound", "Datenbank", "Die Datenbankverbindung wird nach zehn Sekunden getrennt."],
    ["another German compound", "Lieferschein", "Die Lieferscheinnummer steht oben rechts."],
    ["the last part of a German compound", "Verbindung", "Die Datenbankverbindung wird nach zehn Sekunden getrennt."],
    ["a longer German compound", "Geschwindigkeitsbegrenzung", "Die Geschwindigkeit wird alle fünf Minuten gemessen."],
    ["Arabic without its article", "حرية", "لكل شخص حق التمتع بالحرية دون تمييز."],
    ["Arabic with its article", "الكرامة", "يولد الناس أحرارا متساوين في كرامة وحقوق."],
    ["an inflection in Greek", "δικαιώματος", "Κάθε άτομο έχει δικαίωμα στη ζωή, την ελευθερία και την ασφάλεια."],
    [
      "an inflection in Russian",
      "безопасностью",
      "Каждый человек имеет право на жизнь, на свободу и на личную неприкосновенность; безопасность проверяется дважды.",
    ],
    ["an emoji", "🚀", "Every deploy on Friday gets a 🚀 in the channel."],
  ])("find by %s where no word matches", async (_, query, content) => {
    const agent = anAgent(fixture);
    const wanted = await agent.store(content);
    await agent.store("tabby cats sleep through the afternoon");
    expect(await agent.find(query)).toEqual([wanted]);
  });

  it("find by no word that only another member wrote", async () => {
    const [alice, bob] = [anAgent(fixture), anAgent(fixture)];
    await bob.store("Die Markhorrverbindung ist privat. 🦌", { visibility: "private" });
    const own = await alice.store("Die Markhorrweide ist offen.");
    expect(await alice.find("Markhorr")).toEqual([own]);
    expect(await alice.find("🦌")).toEqual([]);
    expect(await alice.find("Verbindung")).toEqual([]);
  });

  it("are taken as they are where one of them stands somewhere", async () => {
    const agent = anAgent(fixture);
    const exact = await agent.store("Die Datenbank läuft auf dem zweiten Rechner.");
    await agent.store("Die Datenbankverbindung wird nach zehn Sekunden getrennt.");
    expect(await agent.find("Datenbank")).toEqual([exact]);
  });

  it("find a memory by its name, whole, by a word of it, and when it comes later", async () => {
    const agent = anAgent(fixture);
    const named = await agent.store("Ask Ann first.", { name: "deploy-rule", title: "Before a release" });
    await agent.store("the deploy of the otter service takes a minute");
    const found = await agent.recall({ query: "deploy-rule" });
    expect(found.memories[0]).toMatchObject({
      id: named,
      match_reasons: expect.arrayContaining(["entity_name_match"]),
    });
    expect(await agent.find("rule")).toEqual([named]);
    await agent.update({ memory_id: named, title: "Before a hotfix" });
    expect(await agent.find("rule")).toEqual([named]);
    const later = await agent.store("The gharials are counted at dawn.");
    expect((await agent.remember({ content: "The gharials are counted at dawn.", name: "census" })).memory_id).toBe(
      later,
    );
    expect(await agent.find("census")).toEqual([later]);
  });

  it("puts who says all of it before who says a part often", async () => {
    const agent = anAgent(fixture);
    const often = await agent.store("gharial gharial gharial gharial");
    const all = await agent.store("when the river rises, the gharial moves its nest to the sandbank");
    expect(await agent.find("gharial nest sandbank")).toEqual([all, often]);
  });

  it.each([
    ["all words in one memory", "gharial moves its nest", false],
    ["all words, one by another word for it", "k8s probe", false],
    ["all words, over two memories", "gharial probe", true],
    ["a word that nobody wrote", "gharial moves zeppelins", true],
    ["all words in Japanese", "在庫の通知を送る", false],
    ["a word in Japanese that nobody wrote", "在庫の亀", true],
    ["nothing but punctuation", "?!", false],
    ["nothing that is found", "zeppelins", false],
  ])("says when no memory holds every word: %s", async (_, query, isRelaxed) => {
    const agent = anAgent(fixture);
    await agent.store("when the river rises, the gharial moves its nest");
    await agent.store("the kubernetes liveness probe needs ten seconds");
    await agent.store("在庫の通知は夜に送る");
    const answer = await agent.recall({ query });
    if (isRelaxed) expect(answer).toMatchObject({ relaxed: true });
    else expect(answer).not.toHaveProperty("relaxed");
  });

  it.each([
    ["its name", { entity_name: "Red Panda 7" }, "panda", ["entity_name_match"]],
    ["a part of its name", { entity_name: "red-panda-api" }, "pandas api", ["entity_name_match"]],
    ["its name in Japanese", { entity_name: "決済サービス" }, "決済", ["entity_name_match"]],
    ["its tag", { tags: ["marsupial"] }, "marsupials", ["tag_match"]],
    ["another word for its tag", { tags: ["k8s"] }, "kubernetes", ["tag_match"]],
    ["its content", {}, "timeouts", ["content_match_fts"]],
  ])("says so when they met a memory by %s alone", async (_, input, query, reasons) => {
    const agent = anAgent(fixture);
    const id = await agent.store("the timeout is 30 seconds", input);
    const { memories } = await agent.recall({ query });
    expect(memories.map((memory) => memory.id)).toEqual([id]);
    const kinds = ["content_match_fts", "entity_name_match", "tag_match", "context_match", "content_substring"];
    expect(memories[0]?.match_reasons.filter((reason) => kinds.includes(reason))).toEqual(reasons);
  });

  it.each([
    ["8.14.2", "libvips stays at v8.14.2"],
    ["v8.14.2", "libvips stays at 8.14.2"],
    ["libvips 8", "libvips v8 is the last one"],
    ["libvips v8.14", "libvips 8.14 is the last one"],
  ])("take a version for the same with v and without: %s", async (query, content) => {
    const agent = anAgent(fixture);
    await agent.store("libvips has 14 threads, of which 2 are idle");
    const id = await agent.store(content);
    const answer = await agent.recall({ query });
    expect(answer.memories[0]?.id).toBe(id);
    expect(answer).not.toHaveProperty("relaxed");
    expect(Number(answer.confidence)).toBeGreaterThan(0.8);
  });

  it("puts an exact code before what merely talks alike", async () => {
    const agent = anAgent(fixture);
    await agent.store("下单报错怎么办：先看日志再看监控");
    const code = await agent.store("20013表示优惠券已被占用，五分钟后释放");
    expect((await agent.find("下单报错20013，要等多久"))[0]).toBe(code);
  });

  it("says how sure its best answer is, and nothing at all where only a common word is shared", async () => {
    const agent = anAgent(fixture);
    for (let nth = 0; nth < 12; nth++) await agent.store(`the quokka note number${nth} concerns pasture${nth}`);
    const sure = await agent.recall({ query: "quokka pasture3" });
    expect(sure).toMatchObject({ confidence: expect.any(Number) });
    expect(Number(sure.confidence)).toBeGreaterThan(0.9);
    const nothing = await agent.recall({
      query: "quokka marzipan zeppelin obelisk tarantella xylophone vermouth",
    });
    expect(nothing).toMatchObject({ count: 0, total_candidates: 0 });
    expect(nothing).not.toHaveProperty("confidence");
  });

  it("finds the one memory of a new store by a word of a long question", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("deploys wait for a green pipeline");
    expect(await agent.find("which deploys may somebody start on a rainy afternoon in november")).toEqual([id]);
  });

  it.each([
    ["errors", "E20013 means that the coupon is taken", "error E88888", "error E20013"],
    ["tickets", "ORD-4012 was paid twice", "ORD-7755", "ORD-4012"],
    ["names of errors", "ERR_LOCK_HELD: the ledger is locked by another run", "ERR_LEDGER_LOCKED", "ERR_LOCK_HELD"],
    ["names with digits", "ERR_LOCK_4 means that the ledger is locked", "ERR_LEDGER_7", "ERR_LOCK_4"],
    ["errors in Chinese", "错误码20013表示优惠券已被占用", "错误码88888", "错误码20013"],
  ])("has no answer to a code that nobody wrote, however alike the words: %s", async (_, content, unheardOf, known) => {
    const agent = anAgent(fixture);
    const id = await agent.store(content);
    expect(await agent.recall({ query: unheardOf })).toMatchObject({ count: 0, total_candidates: 0 });
    expect(await agent.find(known)).toEqual([id]);
    // Where more is said than the code, it is answered.
    expect(await agent.find(`${content} ${unheardOf}`)).toEqual([id]);
  });

  it.each(["vite 2026 plugins", "port 8081 of vite", "vite v5 plugins"])(
    "takes no year, port or version for such a code: %s",
    async (query) => {
      const agent = anAgent(fixture);
      const id = await agent.store("vite plugins listen on another port");
      expect(await agent.find(query)).toEqual([id]);
    },
  );
}
