import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { paths } from "chest-memory-sdk";
import { notifyDone, notifyFailed } from "../parts/notify.tsx";
import { chest, tool } from "./client.ts";

type Body<Tool extends keyof paths> = paths[Tool] extends {
  post: { requestBody?: { content: { "application/json": infer B } } };
}
  ? B
  : never;

export type Update = Body<"/api/tools/chest_update_memory">;

export const updateMemory = (body: Update) => tool(chest.POST("/api/tools/chest_update_memory", { body }));

export const archiveMemory = (memory_id: number, reason?: string) =>
  updateMemory({ memory_id, archived: true, ...(reason ? { reason } : {}) });

export const bringBack = (memory_id: number) => updateMemory({ memory_id, archived: false });

interface Change {
  /** Changes something, and gives what is told of it; with `undo`, what takes it back. */
  run(): Promise<unknown>;
  readonly told: string;
  undo?(): Promise<unknown>;
}

/**
 * Changes memories: a refusal is told, and what was asked about memories is asked anew either way, since a refusal often
 * means that somebody else was quicker.
 */
export function useChange() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (change: Change) => {
      await change.run();
      return change;
    },
    onError: notifyFailed,
    onSuccess({ told, undo }) {
      const takeBack = () => {
        undo?.()
          .catch(notifyFailed)
          .finally(() => queryClient.invalidateQueries({ queryKey: ["memories"] }));
      };
      notifyDone(told, undo && takeBack);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["memories"] }),
  });
}
