import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { updateMemory, useChange } from "../../api/changes.ts";
import { queries, type Version, type WholeMemory } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { nameOf, When } from "../../parts/memory-bits.tsx";
import { WordDiff } from "./word-diff.tsx";

interface HistoryProps {
  readonly whole: WholeMemory;
  readonly canWrite: boolean;
}

/** Versions, newest first, each against the one before it. */
export function HistoryList({ whole, canWrite }: HistoryProps) {
  const { id, state, version: current, content } = whole.memory;
  const [isAll, setAll] = useState(false);
  const all = useQuery({ ...queries.history(id), enabled: isAll });
  const versions: readonly Version[] = all.data?.versions ?? whole.versions;
  const isCut = versions.length < whole.versions_total && !all.data;
  const { change, isPending } = useChange();
  const restore = (old: Version) =>
    change({
      run: () => updateMemory({ memory_id: id, content: old.content, expected_version: current }),
      told: text.memory.wordingBack(old.version),
      undo: () => updateMemory({ memory_id: id, content }),
    });
  return (
    <>
      <ol className="versions">
        {versions.map((version, index) => {
          const before = versions[index + 1];
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
                  {version.reason && <bdi>“{version.reason}”</bdi>}
                </span>
                {canWrite && index > 0 && state === "live" && version.content !== content && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    loading={isPending}
                    onClick={() => restore(version)}
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
      {isCut && (
        <Group justify="center" mt="md">
          <Button variant="default" size="compact-sm" loading={all.isFetching} onClick={() => setAll(true)}>
            {text.common.more} ({number(whole.versions_total)})
          </Button>
        </Group>
      )}
    </>
  );
}
