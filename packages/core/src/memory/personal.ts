import type { EntityKind } from "./entity.ts";
import type { Category } from "./metadata.ts";

/** Statement that is about to be stored, as far as it tells whom it concerns. */
export interface Statement {
  readonly entityKind: EntityKind | undefined;
  readonly category: Category | undefined;
  readonly content: string;
}

// The subject of a statement stands at its beginning.
const HEAD = 200;

const MACHINES = "machine|computer|laptop|mac|pc|workstation";
const TOOLS = "editor|ide|shell|terminal|keyboard|browser|screen|setup";
const WAYS = "always|never|usually|mostly|only|also|do not|don't";

const PERSONAL = [
  new RegExp(`\\bI (?:(?:${WAYS}) )?(?:prefer|like|dislike|hate|use|work|write|read|speak|type)\\b`),
  new RegExp(`\\b(?:the |this )?user (?:(?:${WAYS}) )?(?:prefers|likes|dislikes|hates)\\b`, "i"),
  new RegExp(`\\b(?:my|the user's) (?:${MACHINES}|${TOOLS})\\b`, "i"),
  new RegExp(`\\bthis (?:${MACHINES})\\b`, "i"),
  /(?:我|用户|使用者)(?:更|比较|总是|从不|通常)?(?:喜欢|偏好|习惯|使用|不喜欢)|我的(?:电脑|机器|笔记本|编辑器|终端)/,
  /(?:私|ユーザー|利用者)は[^。]{0,40}(?:好む|好みます|好き|使う|使います|嫌い)|私の(?:マシン|パソコン|エディタ|端末)/,
  /(?:나는|저는|사용자는)[^.]{0,40}(?:선호|좋아|싫어|사용)|(?:내|제) (?:컴퓨터|노트북|편집기|터미널)/,
];

/**
 * Whether a statement is about a person, a preference, a tool or a machine: it holds in all projects, and for the member
 * who says it.
 */
export const isPersonal = ({ entityKind, category, content }: Statement): boolean =>
  entityKind === "person" ||
  category === "preference" ||
  (entityKind !== "project" && PERSONAL.some((pattern) => pattern.test(content.slice(0, HEAD))));
