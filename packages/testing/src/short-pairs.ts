/** Two statements that have little more in common than the one word for what they speak of. */
export type ShortPair = readonly [a: string, b: string];

/** Pairs of which one cannot hold while the other does. */
export const CONTRADICTING_SHORT: readonly ShortPair[] = [
  ["Telemetry is enabled.", "Telemetry is disabled."],
  ["Telemetry: on", "Telemetry: off"],
  ["Force pushes are allowed.", "Force pushes are forbidden."],
  ["strict_mode is true.", "strict_mode is false."],
  ["strict_mode = true", "strict_mode = false"],
  ["Webhooks are supported.", "Webhooks are not supported."],
  ["Safari supports passkeys.", "Safari does not support passkeys."],
  ["Sharding is required.", "Sharding is optional."],
  ["Approvals are mandatory.", "Approvals are not mandatory."],
  ["The dashboard is public.", "The dashboard is private."],
  ["テレメトリは有効です。", "テレメトリは無効です。"],
  ["強制プッシュは許可されている。", "強制プッシュは禁止されている。"],
  ["Webhookに対応している。", "Webhookに対応していない。"],
  ["承認は必須です。", "承認は任意です。"],
  ["遥测已启用。", "遥测已禁用。"],
  ["允许强制推送。", "禁止强制推送。"],
  ["支持Webhook。", "不支持Webhook。"],
  ["审批是必须的。", "审批是可选的。"],
  ["텔레메트리는 활성화되어 있다.", "텔레메트리는 비활성화되어 있다."],
  ["강제 푸시는 허용된다.", "강제 푸시는 금지된다."],
  ["Webhook을 지원한다.", "Webhook을 지원하지 않는다."],
  ["승인은 필수이다.", "승인은 선택이다."],
];

/** Pairs that stand side by side. */
export const HARMLESS_SHORT: readonly ShortPair[] = [
  ["Telemetry is enabled.", "Tracing is disabled."],
  ["Telemetry is enabled.", "Telemetry is on."],
  ["Telemetry is enabled.", "Telemetry is disabled in staging."],
  ["Telemetry was enabled until 2024.", "Telemetry is disabled."],
  ["Telemetry is disabled.", "Telemetry is not enabled."],
  ["Force pushes are allowed.", "Merges are forbidden."],
  ["Force pushes are allowed to bots.", "Force pushes are forbidden to people."],
  ["strict_mode is true.", "debug_mode is false."],
  ["Webhooks are supported.", "Polling is not supported."],
  ["Safari supports passkeys.", "Firefox does not support passkeys."],
  ["Approvals are mandatory.", "Approvals are not anonymous."],
  ["The dashboard is public.", "The API is private."],
  ["テレメトリは有効です。", "トレースは無効です。"],
  ["本番ではテレメトリは有効です。", "開発ではテレメトリは無効です。"],
  ["Webhookに対応している。", "ポーリングに対応していない。"],
  ["遥测已启用。", "追踪已禁用。"],
  ["生产环境启用遥测。", "测试环境禁用遥测。"],
  ["支持Webhook。", "不支持轮询。"],
  ["텔레메트리는 활성화되어 있다.", "추적은 비활성화되어 있다."],
  ["운영에서는 텔레메트리가 활성화된다.", "개발에서는 텔레메트리가 비활성화된다."],
  ["Webhook을 지원한다.", "폴링을 지원하지 않는다."],
  ["승인은 필수이다.", "리뷰는 선택이다."],
];
