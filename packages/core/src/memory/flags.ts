/** Signs of a text that speaks to an agent instead of telling it something. */
export const FLAGS = ["orders", "role_markup", "hidden_characters", "encoded_blob"] as const;
export type Flag = (typeof FLAGS)[number];

// Whole phrases and structures, never single words: a memory about prompt injection may name it.
const DEED =
  "(?:delet|remov|eras|wip|drop|destroy|overwrit|push|deploy|publish|send|transfer|pay|merg|execut|run|install|disabl|grant|approv)";
// Blanks after a line break are those of its own line, and few words come before the verb: each place is looked at once.
const START = String.raw`(?:^|[.!?:;]\s+|\n[^\S\n]*|^\s*[-*]\s+)(?:please\s+|now\s+|just\s+|always\s+|then\s+|and\s+|but\s+|so\s+|you\s+(?:must|should|have to|can|may)\s+){0,5}`;
const ORDERS: readonly RegExp[] = [
  // Orders to ignore earlier instructions.
  /\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+|every\s+)*(?:previous|prior|above|earlier|preceding|system|other)\s+(?:instructions?|prompts?|rules|messages?|directions?)\b|\byou\s+(?:must|have\s+to)\s+(?:now\s+)?obey\b|\bnew\s+(?:system\s+)?instructions?\s*:/iu,
  /(?:これまで|以前|上記|前)の(?:指示|命令)を?(?:すべて)?無視|忽略(?:之前|以上|前面|所有)(?:的)?(?:所有)?(?:指令|指示|提示)|(?:이전|위의?|모든)\s*(?:지시|명령)(?:사항)?[을를]?\s*(?:모두\s*)?무시/iu,
  // Orders to hide something from the people in charge.
  /\b(?:do\s+not|don['’]t|never|must\s+not|without)\s+(?:ever\s+)?(?:(?:tell|telling|inform|informing)|(?:mention|report|reveal|disclose|show)(?:ing)?\s+(?:it|this|that|anything|any\s+of\s+(?:it|this))\s+to)\s+(?:the\s+|your\s+|any\s+|our\s+)?(?:users?|humans?|owners?|maintainers?|operators?|developers?|admin(?:istrator)?s?|reviewers?|team|boss|manager|supervisor|security|any(?:one|body))\b/iu,
  /(?:ユーザー|利用者|管理者|担当者|開発者|メンテナー?|チーム|誰)(?:に|へ)(?:は|も)?(?:絶対に|決して)?(?:伝え|知らせ|言わ|教え|報告し|話さ)(?:ない|ず|るな)|(?:不要|别|切勿|禁止|不得|绝不|不许)(?:把[^。]{0,20})?(?:告诉|通知|告知|汇报给?|透露给?)(?:用户|管理员|维护者|开发者|负责人|团队|任何人)|(?:사용자|관리자|유지보수자|담당자|개발자|팀|누구)(?:에게|한테)(?:는|도)?\s*[^.]{0,16}(?:알리|말하|보고하|전달하|알려\s*주)지\s*(?:마|말)/iu,
  // Orders to act without asking.
  new RegExp(
    String.raw`${START}(?:never|do\s+not|don['’]t|no\s+need\s+to|(?:you\s+)?need\s+not)\s+(?:ever\s+)?(?:ask|wait|check|request|seek|confirm)\b[^.:;\n]{0,60}\b${DEED}\w*\b`,
    "iu",
  ),
  new RegExp(
    String.raw`${START}${DEED}(?:e|p|n|y)?\b[^.\n]{0,60}\bwithout\s+(?:asking|confirm(?:ing|ation)|approval|permission|telling|any\s+(?:question|confirmation|review))\b`,
    "iu",
  ),
  /(?:確認(?:せずに?|なしで|を取らずに?|しないで)|聞かずに|尋ねずに|許可なく)[^。\n]{0,20}(?:削除|消去|実行|送信|公開|デプロイ|プッシュ|上書き|マージ|送金)(?:して(?:ください|よい|構わない|おいて)|せよ|しろ|すること)|(?:不要|别|无需|不必|不用|无须)(?:再)?(?:询问|确认|征求|等待|问)[^。\n]{0,15}(?:删除|执行|发送|推送|部署|发布|覆盖|合并|转账)|(?:删除|执行|发送|推送|部署|发布|覆盖|合并|转账)[^。\n]{0,12}[，,](?:不要|不必|无需|不用)(?:询问|确认|问)|(?:묻지|확인하지|물어보지)\s*(?:말고|않고|마시고)[^.\n]{0,20}(?:삭제|실행|전송|배포|푸시|덮어|병합|송금)|(?:확인|승인|허락)\s*없이[^.\n]{0,16}(?:삭제|실행|전송|배포|푸시|덮어쓰|병합|송금)(?:하세요|해\s*주세요|하라|해라|할\s*것|하십시오)/iu,
  // Orders to reveal secrets.
  new RegExp(
    String.raw`${START}(?:reveal|print|show|repeat|output|display|tell\s+me)\s+(?:me\s+)?(?:all\s+|the\s+|your\s+)*(?:system\s+prompt|hidden\s+instructions|initial\s+instructions|instructions\s+above)\b`,
    "iu",
  ),
  new RegExp(
    String.raw`${START}(?:send|upload|post|forward|e-?mail|exfiltrate|copy|paste)\b[^.\n]{0,60}\b(?:api\s+keys?|credentials|passwords?|access\s+tokens?|tokens|secrets|private\s+keys?|\.env)\b[^.\n]{0,40}\bto\s+(?:https?:|\S+@\S|this\s+(?:address|server|url)|me\b|us\b)`,
    "iu",
  ),
  /システムプロンプトを(?:表示|出力|教え|開示)|(?:输出|显示|透露|告诉我)[^。\n]{0,8}系统提示|시스템\s*프롬프트를?\s*(?:출력|보여|알려)/iu,
  // Orders to play another role, and texts that address any agent that reads them.
  /\byou\s+are\s+now\s+(?:in\s+)?(?:developer\s+mode|dan\b|root\b|an?\s+unrestricted|free\s+(?:of|from)|jailbroken)|\b(?:disable|bypass|ignore|turn\s+off|switch\s+off)\s+your\s+(?:safety|security|restrictions?|guardrails?|guidelines?|rules|filters?|permissions?)|\b(?:if\s+you\s+are|attention|note\s+to|dear|instructions?\s+(?:for|to))\s*:?\s+(?:an?\s+|any\s+|all\s+|the\s+)?(?:ai|llms?|language\s+models?)(?:\s+(?:assistants?|agents?|models?))?\b/iu,
];

const SIGNS: readonly (readonly [Flag, readonly RegExp[]])[] = [
  ["orders", ORDERS],
  [
    "role_markup",
    [
      /<\/?(?:system|assistant|tool_call|tool_calls|function_calls?|function_results?|tool_result|invoke|antml:[a-z_]+|memory_data|chest-recall|session_knowledge|system-reminder)\b[^<>]{0,200}>|<\|(?:im_start|im_end|system|assistant|user|endoftext|start_header_id|eot_id)\|?>|\[\/?INST\]|<<\/?SYS>>|"(?:tool_calls|function_call)"\s*:/imu,
    ],
  ],
  // Joiners belong to emoji and to scripts, tags to some flags; marks of direction and fillers have no place in a fact.
  [
    "hidden_characters",
    [
      /[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff]|(?<!\u{1f3f4}[\u{e0000}-\u{e007f}]*)[\u{e0000}-\u{e007f}]/u,
    ],
  ],
  ["encoded_blob", [/[A-Za-z0-9+/]{400,}={0,2}|(?:\\x[0-9a-f]{2}){60,}|(?:%[0-9a-f]{2}){100,}/iu]],
];

// A turn of a conversation is stored with such lines.
const SPEAKER_LINE = /^\s{0,3}(?:###\s*)?(?:system|assistant)\s*:\s*\S/imu;

export interface Flaggable {
  readonly content: string;
  readonly title?: string | undefined;
  readonly category?: string | undefined;
}

/**
 * Looks for text that gives orders to an agent, passes for markup of a conversation, or hides something. A memory with
 * a flag is stored and found as any other; it is marked, and never shown unasked.
 */
export function flagsOf({ content, title = "", category }: Flaggable): Flag[] {
  const isIn = (sign: RegExp) => sign.test(content) || sign.test(title);
  const isSpoken = category !== "conversation" && isIn(SPEAKER_LINE);
  return SIGNS.flatMap(([flag, signs]) => (signs.some(isIn) || (flag === "role_markup" && isSpoken) ? [flag] : []));
}
