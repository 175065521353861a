import { existsSync, readFileSync } from "node:fs";
import { type AgentDocument, DOCUMENTS, placeOf, stateOf } from "../../agents/claude/documents.ts";
import { formerRules } from "../../agents/claude/former-documents.ts";
import { readStamp } from "../../agents/claude/stamp.ts";
import type { Check, Finding } from "../check.ts";
import type { InspectedClient } from "./target.ts";

export const NO_CLAUDE: Finding = { status: "skip", message: "Claude Code is not used on this machine" };

const FIX = "chest-index install-skill";

const [skillDocument, rulesDocument] = DOCUMENTS;

const rulesExist: Check<InspectedClient> = {
  id: "client.rules.exists",
  title: "the agent has the rules for what to save",
  run: async (inspected) => existing(inspected, rulesDocument),
};

const rulesFresh: Check<InspectedClient> = {
  id: "client.rules.fresh",
  title: "the rules are this release's",
  async run({ claudeDir }) {
    if (!existsSync(claudeDir)) return NO_CLAUDE;
    const path = placeOf(claudeDir, rulesDocument);
    const text = textOf(path);
    const state = stateOf(rulesDocument, text);
    if (state === "absent") return { status: "skip", message: "there are none" };
    const former = formerRules(claudeDir);
    if (former)
      return {
        status: "warn",
        message: `\`${former.path}\` is of 1.5 and tells the agent of another memory`,
        fix: FIX,
      };
    if (state === "older" || state === "former") {
      const release = state === "former" ? "1.5" : (readStamp(text ?? "")?.release ?? "another release");
      return { status: "warn", message: `\`${path}\` is of ${release}`, fix: FIX };
    }
    if (state === "current") return { status: "ok", message: path };
    return {
      status: "warn",
      message: `\`${path}\` was edited, or is not from Chest: it is never replaced unasked\nyours is kept as .bak`,
      fix: `${FIX} --force`,
    };
  },
};

const skill: Check<InspectedClient> = {
  id: "client.skills.chest",
  title: "the agent has the skill",
  run: async (inspected) => existing(inspected, skillDocument),
};

function existing({ claudeDir }: InspectedClient, document: AgentDocument): Finding {
  if (!existsSync(claudeDir)) return NO_CLAUDE;
  const path = placeOf(claudeDir, document);
  const text = textOf(path);
  if (text?.trim()) return { status: "ok", message: path };
  const what = text === undefined ? "is not there" : "is empty";
  return { status: "fail", message: `\`${path}\` ${what}`, fix: FIX };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // A missing or unreadable file counts as absent, since the agent cannot read it either.
  }
}

export const claudeChecks = [rulesExist, rulesFresh, skill];
