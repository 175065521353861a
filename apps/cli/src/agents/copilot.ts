import type { EntryForm } from "./opencode.ts";
import { isRecord } from "./settings-files/jsonc.ts";

/** GitHub Copilot CLI calls a server on stdio `local`, and lists the tools that it may use. */
export const COPILOT_ENTRY: EntryForm = {
  read(entry) {
    if (!isRecord(entry)) return entry;
    const { type: _, tools: __, ...others } = entry;
    return others;
  },
  write: (entry) => ({ type: "local", ...entry, tools: ["*"] }),
};
