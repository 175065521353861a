import type { paths } from "chest-memory-sdk";
import { text } from "../i18n/index.ts";
import { chest, tool } from "./client.ts";

type Body<Tool extends keyof paths> = paths[Tool] extends {
  post: { requestBody?: { content: { "application/json": infer B } } };
}
  ? B
  : never;

export const updateMemory = (body: Body<"/api/tools/chest_update_memory">) =>
  tool(chest.POST("/api/tools/chest_update_memory", { body }));

export const remember = (body: Body<"/api/tools/chest_remember">) =>
  tool(chest.POST("/api/tools/chest_remember", { body }));

export const bringBack = (memory_id: number) => updateMemory({ memory_id, archived: false });

export const mergeMemories = (memory_ids: number[], merged_content: string) =>
  tool(chest.POST("/api/tools/chest_consolidate", { body: { action: "merge", memory_ids, merged_content } }));

/** Text that memories would become; nothing is changed. */
export const mergePreview = async (memory_ids: number[]): Promise<string> => {
  const body = { action: "merge" as const, memory_ids, dry_run: true };
  return (await tool(chest.POST("/api/tools/chest_consolidate", { body }))).merged_content ?? "";
};

/** Says that a flagged text is harmless; only an admin may. */
export const clearingFlags = ({ id, version }: { readonly id: number; readonly version: number }, reason: string) => ({
  run: () => updateMemory({ memory_id: id, harmless: true, reason, expected_version: version }),
  told: text.inbox.cleared,
  undo: () => updateMemory({ memory_id: id, harmless: false, reason: text.common.undo }),
});

export interface Change<Done> {
  run(): Promise<Done>;
  /** Tells what was done. */
  readonly told: string | ((done: Done) => string);
  /** Takes it back. */
  undo?(done: Done): Promise<unknown>;
}
