import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { Change } from "../api/changes.ts";
import { notifyDone, notifyFailed, notifyUndoing } from "./notify.tsx";

/**
 * Makes changes to memories and offers undo. Memories are also reloaded after an error, because it often means that another
 * member changed them first.
 */
export function useChange() {
  const queryClient = useQueryClient();
  const takeBack = useRef<() => void>(undefined);
  const anew = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ["memories"] }),
      queryClient.invalidateQueries({ queryKey: ["inbox"] }),
    ]);
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (change: () => Promise<void>) => change(),
    onSettled: anew,
  });
  /** Makes a change and throws its error, for a form that shows errors at its fields. */
  const attempt = <Done>({ run, message, undo }: Change<Done>): Promise<void> =>
    mutateAsync(async () => {
      const done = await run();
      takeBack.current =
        undo &&
        (() => {
          void notifyUndoing(undo(done).finally(anew));
        });
      notifyDone(typeof message === "string" ? message : message(done), takeBack.current);
    });
  return {
    isPending,
    attempt,
    change<Done>(change: Change<Done>, then?: () => void) {
      attempt(change).then(then, notifyFailed);
    },
    /** Takes the last change back, once, where that is possible. */
    undo() {
      takeBack.current?.();
      takeBack.current = undefined;
    },
  };
}

/**
 * Sends a request that has no undo, and shows why it was refused.
 * @param reloads key of the queries that are read anew when it is done; `[]` for all
 */
export function useSending<Answer, Sent = void>(send: (sent: Sent) => Promise<Answer>, reloads?: readonly string[]) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: send,
    onError: notifyFailed,
    onSuccess: () => reloads && queryClient.invalidateQueries({ queryKey: reloads }),
  });
}
