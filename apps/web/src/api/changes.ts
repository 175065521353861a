import type { paths } from "chest-memory-sdk";
import { text } from "../i18n/index.ts";
import { ApiError } from "./api-error.ts";
import { answer, chest, tool } from "./client.ts";

type Body<Tool extends keyof paths> = paths[Tool] extends {
  post: { requestBody?: { content: { "application/json": infer B } } };
}
  ? B
  : never;

export const updateMemory = (body: Body<"/api/tools/chest_update_memory">) =>
  tool(chest.POST("/api/tools/chest_update_memory", { body }));

export const remember = (body: Body<"/api/tools/chest_remember">) =>
  tool(chest.POST("/api/tools/chest_remember", { body }));

/** Gives the argument `expected_version`, so that the backend refuses a change if another member changed the memory first. */
export const unchangedSince = ({ version }: { readonly version?: number }) =>
  version === undefined ? {} : { expected_version: version };

/** Gives the arguments of an undo. Throws if another member has changed one of the fields since. */
export async function stillAs(
  id: number,
  input: Readonly<Partial<Record<"layer" | "visibility" | "project", string>>>,
) {
  const { memory } = await answer(chest.GET("/api/memories/{id}", { params: { path: { id } } }));
  for (const [name, value] of Object.entries(input))
    if ((memory[name as keyof typeof input] ?? "") !== value)
      throw new ApiError("VERSION_CONFLICT", `the ${name} of memory ${id} was changed since`);
  return { memory_id: id, ...unchangedSince(memory) };
}

export const bringBack = (memory_id: number) => updateMemory({ memory_id, archived: false });

export const mergeMemories = (memory_ids: number[], merged_content: string) =>
  tool(chest.POST("/api/tools/chest_consolidate", { body: { action: "merge", memory_ids, merged_content } }));

/** Gives the text that a merge would produce; changes nothing. */
export const mergePreview = async (memory_ids: number[]): Promise<string> => {
  const body = { action: "merge" as const, memory_ids, dry_run: true };
  return (await tool(chest.POST("/api/tools/chest_consolidate", { body }))).merged_content ?? "";
};

/** Marks a flagged text as harmless, which only an admin may do. */
export const clearingFlags = ({ id, version }: { readonly id: number; readonly version: number }, reason: string) => ({
  run: () => updateMemory({ memory_id: id, harmless: true, reason, expected_version: version }),
  message: text.inbox.cleared,
  undo: (done: { readonly version?: number }) =>
    updateMemory({ memory_id: id, harmless: false, reason: text.common.undo, ...unchangedSince(done) }),
});

export interface Change<Done> {
  run(): Promise<Done>;
  /** Message after the change. */
  readonly message: string | ((done: Done) => string);
  /** Reverts the change. */
  undo?(done: Done): Promise<unknown>;
}
