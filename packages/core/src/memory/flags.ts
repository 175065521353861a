/** Signs of a text that speaks to an agent instead of telling it something. */
export const FLAGS = ["orders", "role_markup", "hidden_characters", "encoded_blob"] as const;
export type Flag = (typeof FLAGS)[number];

// Whole phrases and structures, never single words: a memory about prompt injection may name it.
const SIGNS: readonly (readonly [Flag, RegExp])[] = [
  [
    "orders",
    /\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+|every\s+)*(?:previous|prior|above|earlier|preceding|system|other)\s+(?:instructions?|prompts?|rules|messages?|directions?)\b|\byou\s+(?:must|have\s+to)\s+(?:now\s+)?obey\b|\bnew\s+(?:system\s+)?instructions?\s*:|\bdo\s+not\s+(?:tell|inform|mention\s+(?:this|it)\s+to)\s+the\s+(?:user|human)\b|(?:これまで|以前|上記|前)の(?:指示|命令)を?(?:すべて)?無視|忽略(?:之前|以上|前面|所有)(?:的)?(?:所有)?(?:指令|指示|提示)|(?:이전|위의?|모든)\s*(?:지시|명령)(?:사항)?[을를]?\s*(?:모두\s*)?무시/iu,
  ],
  [
    "role_markup",
    /<\/?(?:system|assistant|tool_call|tool_calls|function_calls?|function_results?|tool_result|invoke|antml:[a-z_]+|memory_data|chest-recall|session_knowledge|system-reminder)\b[^<>]{0,200}>|<\|(?:im_start|im_end|system|assistant|user|endoftext|start_header_id|eot_id)\|?>|\[\/?INST\]|<<\/?SYS>>|"(?:tool_calls|function_call)"\s*:/imu,
  ],
  // Joiners belong to emoji and to scripts, tags to some flags; marks of direction and fillers have no place in a fact.
  [
    "hidden_characters",
    /[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff]|(?<!\u{1f3f4}[\u{e0000}-\u{e007f}]*)[\u{e0000}-\u{e007f}]/u,
  ],
  ["encoded_blob", /[A-Za-z0-9+/]{400,}={0,2}|(?:\\x[0-9a-f]{2}){60,}|(?:%[0-9a-f]{2}){100,}/iu],
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
  return SIGNS.flatMap(([flag, sign]) => (isIn(sign) || (flag === "role_markup" && isSpoken) ? [flag] : []));
}
