import { Button, Group } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { chest, tool } from "../../api/client.ts";
import type { History, Version } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { nameOf, When } from "../../parts/memory-bits.tsx";
import { notifyDone, notifyFailed } from "../../parts/notify.ts";
import { WordDiff } from "./word-diff.tsx";

interface HistoryProps {
  readonly id: number;
  readonly history: History;
  readonly canWrite: boolean;
}

/** Versions, newest first, each against the one before it. */
export function HistoryList({ id, history, canWrite }: HistoryProps) {
  const queryClient = useQueryClient();
  const now = history.versions[0];
  const restore = useMutation({
    mutationFn: ({ content }: Version) => {
      const body = { memory_id: id, content, ...(now && { expected_version: now.version }) };
      return tool(chest.POST("/api/tools/chest_update_memory", { body: body }));
    },
    onError: notifyFailed,
    async onSuccess({ version }) {
      await queryClient.invalidateQueries({ queryKey: ["memories"] });
      if (version !== undefined) notifyDone(text.memory.saved(version));
    },
  });
  return (
    <ol className="versions">
      {history.versions.map((version, index) => {
        const before = history.versions[index + 1];
        const at = version.until ?? version.since;
        return (
          <li key={`${version.version} ${version.until ?? ""}`}>
            <Group justify="space-between" gap="xs">
              <span className="meta">
                <b>{text.memory.version(version.version)}</b>
                {version.until === undefined ? (
                  <span className="chip chip-strong">{text.memory.now}</span>
                ) : (
                  <span>
                    {nameOf(text.memory.endedBy, version.ended_by ?? "")} {text.memory.by(version.changed_by ?? "")}
                  </span>
                )}
                {at && <When at={at} />}
                {version.reason && <bdi>{version.reason}</bdi>}
              </span>
              {canWrite && index > 0 && history.state === "live" && version.content !== now?.content && (
                <Button
                  size="compact-xs"
                  variant="default"
                  loading={restore.isPending && restore.variables === version}
                  onClick={() => restore.mutate(version)}
                >
                  {text.memory.restoreVersion}
                </Button>
              )}
            </Group>
            <WordDiff before={before?.content ?? version.content} after={version.content} />
          </li>
        );
      })}
    </ol>
  );
}
