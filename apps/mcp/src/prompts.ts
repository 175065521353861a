import { dataBlock, framedLines } from "@chest/core/answers";
import { GUIDE } from "@chest/core/resources";

export { GUIDE as SYSTEM_PROMPT };

export interface SystemPromptOptions {
  /** Role of the agent, in your words; it stands first. */
  readonly role?: string;
  /** Knowledge to begin with, such as an answer of `chest_recall`; it goes in as data. */
  readonly memories?: string;
}

/** A system prompt for an agent that has the tools of Chest. */
export function systemPrompt({ role, memories }: SystemPromptOptions = {}): string {
  return [
    role?.trim(),
    GUIDE.trim(),
    memories?.trim() ? dataBlock(framedLines(memories.trim()), "memories") : undefined,
  ]
    .filter(Boolean)
    .join("\n\n");
}
