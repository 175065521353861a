import { existsSync, readFileSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Env } from "@chest/runtime";
import { commandForms } from "@chest/runtime/shell-words";
import { type ConfigurationOptions, editOwn } from "../created-files.ts";
import type { Step } from "../step.ts";
import { claudeFolder } from "./folder.ts";
import { formerRules, isOf15 } from "./former-documents.ts";
import { readShipped } from "./shipped.ts";
import { readStamp, stamped } from "./stamp.ts";

/** Text that Claude Code loads by itself. */
export interface AgentDocument {
  readonly name: "skill" | "rules";
  /** Path below Claude Code's folder, and in the release. */
  readonly place: string;
}

export const DOCUMENTS = [
  { name: "skill", place: "skills/chest-memory/SKILL.md" },
  { name: "rules", place: "rules/chest-memory.md" },
] as const satisfies readonly AgentDocument[];

export type DocumentState = "absent" | "current" | "older" | "former" | "edited";

export interface DocumentOptions extends ConfigurationOptions {
  /** Also replaces a text that the user has edited, and keeps the user's text beside it. */
  readonly isForced: boolean;
}

/** Path below Claude Code's folder. */
export const placeOf = (claudeDir: string, { place }: AgentDocument): string => join(claudeDir, place);

/** Tells which text is installed: this release's, an older one's as it was written, 1.5's, or the user's own. */
export function stateOf({ place }: AgentDocument, installed: string | undefined): DocumentState {
  if (installed === undefined || installed.trim() === "") return "absent";
  if (installed === stamped(readShipped(place))) return "current";
  if (readStamp(installed)?.isUntouched) return "older";
  return isOf15(installed) ? "former" : "edited";
}

export async function installDocument(
  env: Env,
  document: AgentDocument,
  { isForced, ...options }: DocumentOptions,
): Promise<Step> {
  const path = placeOf(claudeFolder(env), document);
  const installed = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  const state = stateOf(document, installed);
  if (state === "edited" && !isForced) return { step: document.name, path, ...EDITED };
  const kept = state === "edited" || state === "former" ? freeName(`${path}.bak`) : undefined;
  if (kept) await editOwn(kept, () => installed, options);
  const outcome = await editOwn(path, () => stamped(readShipped(document.place)), options);
  const former = document.name === "rules" ? await setFormerAside(claudeFolder(env), options) : undefined;
  const notes = [
    ...(kept ? [`${state === "former" ? "1.5's" : "yours"} is kept as ${kept}`] : []),
    ...(former ? [`1.5's rules are kept as ${former}`] : []),
  ];
  return { step: document.name, outcome, path, ...(notes.length > 0 ? { note: notes.join("; ") } : {}) };
}

/** Puts 1.5's rules aside, where Claude Code does not read them. @returns the file that keeps them */
async function setFormerAside(claudeDir: string, options: ConfigurationOptions): Promise<string | undefined> {
  const former = formerRules(claudeDir);
  if (!former) return undefined;
  const kept = freeName(`${former.path}.bak`);
  await editOwn(kept, () => former.text, options);
  await editOwn(former.path, () => undefined, options);
  return kept;
}

export async function removeDocument(env: Env, document: AgentDocument, options: ConfigurationOptions): Promise<Step> {
  const path = placeOf(claudeFolder(env), document);
  const isEdited = existsSync(path) && stateOf(document, readFileSync(path, "utf8")) === "edited";
  if (isEdited)
    return {
      step: document.name,
      path,
      outcome: "left",
      note: "it was edited",
      hint: `\`${commandForms().removing(path)}\` removes it`,
    };
  if (existsSync(path) && stateOf(document, readFileSync(path, "utf8")) === "former") {
    const text = readFileSync(path, "utf8");
    await editOwn(freeName(`${path}.bak`), () => text, options);
  }
  if (document.name === "rules") await setFormerAside(claudeFolder(env), options);
  const outcome = await editOwn(path, () => undefined, options);
  // The skill's own folder goes along, unless something else is in it.
  if (!options.isDry && document.name === "skill") await rmdir(dirname(path)).catch(() => undefined);
  return { step: document.name, outcome, path };
}

const EDITED = {
  outcome: "left",
  note: "it was edited",
  hint: "`chest-index install-skill --force` replaces it and keeps yours as .bak",
} as const;

function freeName(wanted: string): string {
  let name = wanted;
  for (let count = 2; existsSync(name); count++) name = `${wanted}${count}`;
  return name;
}
