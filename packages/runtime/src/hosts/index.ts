import { CLINE } from "./cline.ts";
import { CODEX } from "./codex.ts";
import { COPILOT } from "./copilot.ts";
import { CURSOR } from "./cursor.ts";
import { DEVIN } from "./devin.ts";
import { GEMINI } from "./gemini.ts";
import type { Host } from "./host.ts";
import { OPENCODE } from "./opencode.ts";
import { VSCODE } from "./vscode.ts";
import { WINDSURF } from "./windsurf.ts";

export type { Fields, Host, HostEvent, Moment } from "./host.ts";

/** Agents with hooks beside Claude Code, by the word that their commands end with. */
export const HOSTS: readonly Host[] = [CODEX, GEMINI, COPILOT, CURSOR, OPENCODE, WINDSURF, DEVIN, CLINE, VSCODE];

export const hostOf = (name: string | undefined): Host | undefined => HOSTS.find((host) => host.name === name);
