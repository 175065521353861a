import { describe, expect, it } from "vitest";
import { conflictOf } from "./merge-guard.ts";

describe("the merge guard", () => {
  it.each([
    ["the timeout is 5 minutes", "the timeout is 10 minutes"],
    ["the timeout is 5 minutes", "the timeout is 5 hours"],
    ["the timeout is five minutes", "the timeout is ten minutes"],
    ["at most 5 ms for each", "at most 5 msgs for each"],
    ["it takes 2 min by now", "it takes 2 minor by now"],
    ["the wall is 3 months old", "the wall is 3 monthsold"],
    ["it is 10 years away", "it is 10 yards away"],
    ["pin react to 18.2.0", "pin react to 18.3.0"],
    ["the release is on 2026-01-02", "the release is on 2026-02-01"],
    ["a share of 5 % is kept", "a share of 50 % is kept"],
    ["set the mode to 'strict' first", "set the mode to 'loose' first"],
    ["see https://a.example/x", "see https://a.example/y"],
    ["edit src/auth/login.ts", "edit src/auth/logout.ts"],
    ["call parseUserToken first", "call parseAdminToken first"],
    ["set MAX_WAIT_MS in the file", "set MIN_WAIT_MS in the file"],
    ["our database is PostgreSQL", "our database is MySQL"],
    ["the cache is in Redis now", "the cache is in Memcached now"],
    ["push with --force", "push with --dry-run"],
    ["the owner is on host us-east-1", "the owner is on host us-west-1"],
    ["タイムアウトは5分です", "タイムアウトは10分です"],
    ["再試行は三回まで", "再試行は五回まで"],
    ["キャッシュはレディスに置く", "キャッシュはメモリに置く"],
    ["超时时间是5分钟", "超时时间是10分钟"],
    ["最多重试三次", "最多重试五次"],
    ["제한 시간은 5분이다", "제한 시간은 10분이다"],
    ["설정은 config.yaml에 있다", "설정은 config.json에 있다"],
  ])("holds %j and %j apart by their facts", (a, b) => {
    expect(conflictOf(a, b)).toBe("facts");
    expect(conflictOf(b, a)).toBe("facts");
  });

  it.each([
    ["deploy on fridays", "do not deploy on fridays"],
    ["the check can be skipped", "the check can't be skipped"],
    ["it works with a proxy", "it works without a proxy"],
    ["本番で実行する", "本番で実行しない"],
    ["この設定は必要", "この設定は不要"],
    ["在生产环境运行", "不在生产环境运行"],
    ["这个配置有效", "这个配置没有效"],
    ["금요일에 배포한다", "금요일에 배포하지 않는다"],
    ["캐시를 쓴다", "캐시를 안 쓴다"],
  ])("holds %j and %j apart by what they deny", (a, b) => {
    expect(conflictOf(a, b)).toBe("polarity");
    expect(conflictOf(b, a)).toBe("polarity");
  });

  it.each([
    ["caching is enabled", "caching is disabled"],
    ["turn the feature on", "turn the feature off"],
    ["migrate before the deploy", "migrate after the deploy"],
    ["the endpoint is public", "the endpoint is private"],
    ["the field is required", "the field is optional"],
    ["the call is sync", "the call is async"],
    ["we use the maximum here", "we use the minimum here"],
    ["requests are allowed", "requests are denied"],
    ["キャッシュは有効です", "キャッシュは無効です"],
    ["この処理は同期です", "この処理は非同期です"],
    ["デプロイの前に移行する", "デプロイの後に移行する"],
    ["缓存已启用", "缓存已禁用"],
    ["部署之前迁移", "部署之后迁移"],
    ["캐시는 활성화되어 있다", "캐시는 비활성화되어 있다"],
    ["배포 이전에 옮긴다", "배포 이후에 옮긴다"],
  ])("tells %j from %j, its opposite", (a, b) => {
    // A denial by a syllable counts as polarity.
    expect(["antonyms", "polarity"]).toContain(conflictOf(a, b));
    expect(conflictOf(b, a)).toBe(conflictOf(a, b));
  });

  it.each([
    ["deploys go through the blue cluster", "deploys are going through the blue cluster"],
    ["The gateway listens on port 8080.", "the gateway is listening on port 8080"],
    ["wait 5 minutes, then retry", "then retry, after you wait 5 min"],
    ["edit `src/app.ts`, not the bundle", "do not edit the bundle: `src/app.ts`"],
    ["デプロイは青いクラスタを通る", "デプロイは青いクラスタを経由する"],
    ["部署要经过蓝色集群", "部署会经过蓝色集群"],
    ["배포는 파란 클러스터를 거친다", "배포는 파란 클러스터를 통한다"],
    ["", ""],
  ])("lets %j and %j be one", (a, b) => {
    expect(conflictOf(a, b)).toBeUndefined();
  });

  it.each([
    "\ud800",
    "%s\\",
    "(".repeat(8000),
    "a_".repeat(4000),
    "'".repeat(8000),
    "5 ".repeat(4000),
    "「".repeat(8000),
  ])("reads anything, however odd", (text) => {
    expect(conflictOf(text, text)).toBeUndefined();
  });
});
