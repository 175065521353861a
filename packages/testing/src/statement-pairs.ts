/** Two statements about one subject, as agents store them. */
export interface StatementPair {
  readonly language: "en" | "ja" | "zh" | "ko";
  readonly a: string;
  readonly b: string;
  /** Rules were made with the `tuned` ones in sight; the `reported` ones only count. */
  readonly split: "tuned" | "reported";
}

/** Pairs of which one cannot hold while the other does. */
export const contradictingPairs = (): readonly StatementPair[] => pairsOf(CONTRADICTING);

/** Pairs that stand side by side: said otherwise, refined, about other things or places, added. */
export const harmlessPairs = (): readonly StatementPair[] => pairsOf(HARMLESS);

/** Pairs that say one thing in other words, another order or another form. */
export const restatedPairs = (): readonly StatementPair[] => pairsOf(RESTATED);

type Language = StatementPair["language"];
type Texts = Readonly<Record<Language, readonly (readonly [a: string, b: string])[]>>;

// Every other one is reported, so that both halves have all languages and kinds.
const pairsOf = (texts: Texts): StatementPair[] =>
  Object.entries(texts).flatMap(([language, pairs]) =>
    pairs.map(([a, b], nth) => ({
      language: language as Language,
      a,
      b,
      split: nth % 2 === 0 ? ("tuned" as const) : ("reported" as const),
    })),
  );

const CONTRADICTING: Texts = {
  en: [
    ["The orders database is PostgreSQL 15, reached through pgbouncer.", "The orders database is MySQL."],
    ["The gateway listens on port 8080.", "The gateway listens on port 9443."],
    ["Query caching is enabled in production.", "Query caching is disabled in production."],
    ["Deploy on Fridays if the pipeline is green.", "Do not deploy on Fridays."],
    ["Session tokens expire after 30 minutes.", "Session tokens expire after 24 hours."],
    ["We pin React to 18.2 because of the router.", "We pin React to 19.0."],
    ["The migration must run before the deploy.", "The migration must run after the deploy."],
    ["Logs are kept in S3.", "Logs are kept in Elasticsearch."],
    ["The admin endpoint is public.", "The admin endpoint is private, behind the VPN."],
    ["Package manager of this repository: pnpm.", "The package manager of this repository is yarn."],
    ["The feature flag new_checkout is on for everyone.", "The feature flag new_checkout is off."],
    ["Retries: at most 3, with backoff.", "Retries: at most 5, with backoff."],
    ["Authentication happens in the gateway, not in the services.", "Authentication happens in the services."],
    ["The main branch is protected; force pushes are forbidden.", "Force pushes to the main branch are allowed."],
    ["The build server is in Frankfurt.", "The build server is in Dublin."],
    ["Alice owns the billing service.", "The billing service is owned by Bob."],
    ["The email field is required on sign-up.", "The email field is optional on sign-up."],
    ["Uploads larger than 10 MB are rejected.", "Uploads larger than 50 MB are rejected."],
    ["Integration tests need a running Redis.", "Integration tests do not need Redis."],
    ["Configuration is read from config/app.yaml.", "Configuration is read from config/settings.toml."],
    ["The nightly job runs at 02:00 UTC.", "The nightly job runs at 04:30 UTC."],
  ],
  ja: [
    ["認証のデータベースはPostgreSQLです。", "認証のデータベースはMySQLです。"],
    ["タイムアウトは30秒に設定している。", "タイムアウトは60秒に設定している。"],
    ["本番ではキャッシュが有効です。", "本番ではキャッシュは無効になっている。"],
    ["金曜日にはデプロイしない。", "金曜日にもデプロイする。"],
    ["マイグレーションはデプロイの前に実行する。", "マイグレーションはデプロイの後に実行する。"],
    ["ビルドサーバーは東京にある。", "ビルドサーバーは大阪にある。"],
    ["管理画面は社外からアクセスできる。", "管理画面は社外からアクセスできません。"],
    ["ログはCloudWatchに保存する。", "ログはDatadogに保存する。"],
  ],
  zh: [
    ["订单服务的数据库是PostgreSQL。", "订单服务的数据库是MySQL。"],
    ["接口超时时间为30秒。", "接口超时时间为10秒。"],
    ["生产环境已启用缓存。", "生产环境已禁用缓存。"],
    ["周五可以部署。", "周五不可以部署。"],
    ["部署之前必须执行迁移。", "部署之后必须执行迁移。"],
    ["日志保存在本地磁盘。", "日志保存在对象存储。"],
    ["手机号字段是必填的。", "手机号字段是可选的。"],
    ["主分支允许强制推送。", "主分支禁止强制推送。"],
  ],
  ko: [
    ["주문 데이터베이스는 PostgreSQL이다.", "주문 데이터베이스는 MySQL이다."],
    ["세션은 30분 후에 만료된다.", "세션은 60분 후에 만료된다."],
    ["운영 환경에서 캐시는 활성화되어 있다.", "운영 환경에서 캐시는 비활성화되어 있다."],
    ["금요일에는 배포한다.", "금요일에는 배포하지 않는다."],
    ["마이그레이션은 배포 전에 실행한다.", "마이그레이션은 배포 후에 실행한다."],
    ["빌드 서버는 서울에 있다.", "빌드 서버는 부산에 있다."],
    ["이메일 필드는 필수이다.", "이메일 필드는 선택이다."],
    ["통합 테스트에는 Redis가 필요하다.", "통합 테스트에는 Redis가 필요 없다."],
  ],
};

const HARMLESS: Texts = {
  en: [
    ["The gateway listens on port 8080.", "Port 8080 is what the gateway listens on."],
    ["The gateway listens on port 8080.", "The metrics exporter listens on port 9100."],
    ["In production the timeout is 30 seconds.", "In staging the timeout is 5 seconds."],
    ["Deploys go through the blue cluster.", "Deploys pass through the blue cluster and take about ten minutes."],
    ["We use PostgreSQL for orders.", "We use Redis for sessions."],
    ["Do not deploy on Fridays.", "Deploys on other weekdays need one approval."],
    ["Query caching is enabled.", "Query caching is enabled, with a limit of 512 MB."],
    ["Run the migrations before the deploy.", "Take a backup before the migrations."],
    ["The admin endpoint is private.", "The health endpoint is public."],
    ["Until 2023 the shop ran on MySQL.", "The shop runs on PostgreSQL."],
    ["Integration tests need a running Redis.", "Unit tests do not need Redis."],
    ["The parser rejects numbers above 2^53.", "The parser accepts numbers as strings."],
    ["Retries: at most 3.", "Retries wait 200 ms at first and double each time."],
    ["On Linux the socket is in /run/app.", "On macOS the socket is in /tmp/app."],
    ["Pull request 212 added the retry queue.", "Pull request 240 removed the old scheduler."],
    ["The importer reads CSV.", "The importer also reads JSON."],
    ["Node 18 needs the fetch flag.", "Node 20 has fetch without any flag."],
    ["Never log tokens.", "Log the id of each request."],
    ["Alice owns the billing service.", "Alice reviews the search service."],
    ["The nightly job runs at 02:00 UTC.", "The nightly job takes 40 minutes and does not lock tables."],
    ["Tests run in parallel locally.", "Tests run one after another on CI because of the shared database."],
  ],
  ja: [
    ["タイムアウトは30秒です。", "タイムアウトは30秒に設定されている。"],
    ["本番のタイムアウトは30秒です。", "ステージングのタイムアウトは5秒です。"],
    ["注文はPostgreSQLに保存する。", "セッションはRedisに保存する。"],
    ["金曜日にはデプロイしない。", "デプロイには承認が必要です。"],
    ["ログはS3に保存する。", "ログはS3に保存し、90日で削除する。"],
    ["管理画面は非公開です。", "ヘルスチェックは公開です。"],
    ["マイグレーションの前にバックアップを取る。", "デプロイの後に動作を確認する。"],
    ["以前はMySQLを使っていた。", "現在はPostgreSQLを使っている。"],
  ],
  zh: [
    ["接口超时时间为30秒。", "接口的超时时间设为30秒。"],
    ["生产环境的超时时间为30秒。", "测试环境的超时时间为5秒。"],
    ["订单保存在PostgreSQL。", "会话保存在Redis。"],
    ["周五不部署。", "部署需要一次审批。"],
    ["日志保存在对象存储。", "日志保存在对象存储，九十天后删除。"],
    ["管理接口不公开。", "健康检查接口是公开的。"],
    ["迁移之前先备份。", "部署之后检查监控。"],
    ["以前使用MySQL。", "现在使用PostgreSQL。"],
  ],
  ko: [
    ["타임아웃은 30초이다.", "타임아웃은 30초로 설정되어 있다."],
    ["운영 환경의 타임아웃은 30초이다.", "스테이징의 타임아웃은 5초이다."],
    ["주문은 PostgreSQL에 저장한다.", "세션은 Redis에 저장한다."],
    ["금요일에는 배포하지 않는다.", "배포에는 승인이 필요하다."],
    ["로그는 S3에 저장한다.", "로그는 S3에 저장하고 90일 후에 삭제한다."],
    ["관리 화면은 비공개이다.", "상태 확인 주소는 공개이다."],
    ["마이그레이션 전에 백업한다.", "배포 후에 지표를 확인한다."],
    ["예전에는 MySQL을 썼다.", "지금은 PostgreSQL을 쓴다."],
  ],
};

const RESTATED: Texts = {
  en: [
    ["Port 8080 is used by the gateway.", "The gateway uses port 8080."],
    ["The linter ignores generated files.", "Generated files are ignored by the linter."],
    ["Package manager of this repository: pnpm.", "The package manager of this repository is pnpm."],
    ["Before each deploy, run the migrations.", "Run the migrations before each deploy."],
    ["Timeout of the search call: 5 seconds.", "The timeout of the search call is 5 s."],
    ["The nightly backup is written to the second region.", "The nightly backup writes to the second region."],
  ],
  ja: [
    ["ビルドはpnpmで実行します。", "ビルドはpnpmで実行する。"],
    ["既定のポートは8080です。", "既定のポート：8080"],
    ["設定ファイルは起動時に読み込まれます。", "起動時に設定ファイルが読み込まれる。"],
    ["ログの保存先はS3である。", "ログの保存先はS3です。"],
  ],
  zh: [
    ["默认端口是8080。", "默认端口：8080"],
    ["部署之前必须执行迁移。", "必须在部署之前执行迁移。"],
    ["日志由采集器写入对象存储。", "采集器把日志写入对象存储。"],
  ],
  ko: [
    ["빌드는 pnpm으로 실행합니다.", "빌드는 pnpm으로 실행한다."],
    ["기본 포트는 8080입니다.", "기본 포트: 8080"],
  ],
};
