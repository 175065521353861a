import { existsSync, readFileSync } from "node:fs";
import { type AgentDocument, DOCUMENTS, placeOf, stateOf } from "../../agents/claude/documents.ts";
import { readStamp } from "../../agents/claude/stamp.ts";
import type { Check, Finding } from "../check.ts";
import type { ClientPatient } from "./target.ts";

export const NO_CLAUDE: Finding = { status: "skip", message: "Claude Code is not used on this machine" };

const FIX = "chest-index install-skill";

const [skillDocument, rulesDocument] = DOCUMENTS;

const rulesExist: Check<ClientPatient> = {
  id: "client.rules.exists",
  title: "the agent is told what to save and what never",
  run: async (patient) => existing(patient, rulesDocument),
};

const rulesFresh: Check<ClientPatient> = {
  id: "client.rules.fresh",
  title: "the rules are this release's",
  async run({ claudeDir }) {
    if (!existsSync(claudeDir)) return NO_CLAUDE;
    const path = placeOf(claudeDir, rulesDocument);
    const text = textOf(path);
    const state = stateOf(rulesDocument, text);
    if (state === "current") return { status: "ok", message: path };
    if (state === "absent") return { status: "skip", message: "there are none" };
    if (state === "older") {
      const { release = "another release" } = readStamp(text ?? "") ?? {};
      return { status: "warn", message: `\`${path}\` is of ${release}`, fix: FIX };
    }
    return {
      status: "warn",
      message: `\`${path}\` was edited, or is not ours: it is never replaced unasked\nyours is kept as .bak`,
      fix: `${FIX} --force`,
    };
  },
};

const skill: Check<ClientPatient> = {
  id: "client.skills.chest",
  title: "the agent has the skill",
  run: async (patient) => existing(patient, skillDocument),
};

function existing({ claudeDir }: ClientPatient, document: AgentDocument): Finding {
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
    return undefined; // Not there, or not for us to read: as good as none, for the agent too.
  }
}

export const claudeChecks = [rulesExist, rulesFresh, skill];
