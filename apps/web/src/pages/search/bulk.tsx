import { Button, Menu, Progress } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { changeOfMany } from "../../api/change-of-many.ts";
import { bringBack, stillAs, updateMemory } from "../../api/changes.ts";
import { answer, chest, tool } from "../../api/client.ts";
import { type Hit, hitsOf, queries } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { notifyFailed } from "../../parts/notify.tsx";
import { useChange } from "../../parts/use-change.ts";
import type { Visibility } from "../../parts/visibilities.ts";
import { Ask, AskLayer, AskProject, AskPurge, AskTag, AskVisibility } from "./bulk-dialogs.tsx";
import { EXPORTS, type ExportedMemory, type ExportKind } from "./export-format.ts";

interface BulkProps {
  readonly chosen: readonly Hit[];
  clear(): void;
  /** Chooses all that are listed; undefined where all are chosen. */
  chooseAll?: (() => void) | undefined;
  /** Fetches and chooses all that match the filters; undefined where all of them are listed. */
  chooseEvery?: (() => Promise<void>) | undefined;
}

type Step = "archive" | "tag" | "layer" | "visibility" | "project" | "purge";

/** Most memories of one request. */
const AT_ONCE = 200;

/** Actions on all chosen memories at once: each with a preview, and one undo for all but purge. */
export function Bulk({ chosen, clear, chooseAll, chooseEvery }: BulkProps) {
  const { data: me } = useQuery(queries.whoami());
  const [step, setStep] = useState<Step>();
  const [done, setDone] = useState<number>();
  const [isFetching, setFetching] = useState(false);
  const { attempt, change, isPending } = useChange();
  const canWrite = me?.scopes.includes("write") ?? false;
  const ids = chosen.map(({ id }) => id);

  const all = (run: (id: number) => Promise<unknown>, undo: (id: number) => Promise<unknown>): Promise<void> => {
    const changes = ids.map((id, at) => ({
      run: () => run(id).finally(() => setDone(at + 1)),
      message: "",
      undo: () => undo(id),
    }));
    return attempt(changeOfMany(changes, text.bulk.done))
      .finally(() => setDone(undefined))
      .then(clear);
  };
  const steps = [
    ["tag", text.memory.addTag],
    ["layer", text.memory.layer],
    ["visibility", text.memory.visibility],
    ["project", text.bulk.move],
  ] as const;
  const ask = { chosen, close: () => setStep(undefined) };
  const layers = new Map(chosen.map(({ id, layer }) => [id, layer]));
  return (
    <div className="bulk" role="toolbar" aria-label={text.bulk.title}>
      <b>{text.bulk.chosen(chosen.length)}</b>
      {chooseAll && (
        <Button size="compact-sm" variant="subtle" onClick={chooseAll}>
          {text.insight.chooseAll}
        </Button>
      )}
      {chooseEvery && (
        <Button
          size="compact-sm"
          variant="subtle"
          loading={isFetching}
          onClick={() => {
            setFetching(true);
            chooseEvery()
              .catch(notifyFailed)
              .finally(() => setFetching(false));
          }}
        >
          {text.bulk.chooseEvery}
        </Button>
      )}
      {done !== undefined && <Progress value={(100 * done) / ids.length} w={80} aria-label={text.common.loading} />}
      {canWrite && (
        <>
          <Button size="compact-sm" variant="default" onClick={() => setStep("archive")} loading={isPending}>
            {text.memory.archive}
          </Button>
          {steps.map(([name, label]) => (
            <Button key={name} size="compact-sm" variant="default" onClick={() => setStep(name)} disabled={isPending}>
              {label}
            </Button>
          ))}
        </>
      )}
      <Menu position="top-start">
        <Menu.Target>
          <Button size="compact-sm" variant="default">
            {text.bulk.export}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(EXPORTS) as ExportKind[]).map((kind) => (
            <Menu.Item key={kind} onClick={() => void exportAs(kind, ids)}>
              {{ json: "JSON", md: "Markdown", csv: "CSV" }[kind]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {me?.scopes.includes("admin") && (
        <Button size="compact-sm" variant="subtle" color="red" onClick={() => setStep("purge")} disabled={isPending}>
          {text.memory.purge}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
        {text.common.cancel}
      </Button>
      {step === "archive" && (
        <Ask {...ask} title={text.memory.archive}>
          <Button
            data-autofocus
            onClick={() => {
              setStep(undefined);
              all((id) => updateMemory({ memory_id: id, archived: true }), bringBack).catch(notifyFailed);
            }}
          >
            {text.memory.archive}
          </Button>
        </Ask>
      )}
      {step === "tag" && (
        <AskTag
          {...ask}
          take={(tag) => {
            const had = new Set(chosen.filter(({ tags = [] }) => tags.includes(tag)).map(({ id }) => id));
            return all(
              (id) => updateMemory({ memory_id: id, add_tags: [tag] }),
              async (id) => (had.has(id) ? undefined : updateMemory({ memory_id: id, remove_tags: [tag] })),
            );
          }}
        />
      )}
      {step === "layer" && (
        <AskLayer
          {...ask}
          take={(layer) =>
            all(
              (id) => updateMemory({ memory_id: id, layer }),
              async (id) => updateMemory({ ...(await stillAs(id, { layer })), layer: layers.get(id) ?? layer }),
            )
          }
        />
      )}
      {step === "visibility" && <AskVisibility {...ask} take={(visibility) => all(...placing({ visibility }))} />}
      {step === "project" && <AskProject {...ask} take={(to_project) => all(...placing({ to_project }))} />}
      {step === "purge" && (
        <AskPurge
          {...ask}
          take={() => {
            setStep(undefined);
            change(
              {
                async run() {
                  for (let at = 0; at < ids.length; at += AT_ONCE)
                    await answer(
                      chest.POST("/api/purge", { body: { ids: ids.slice(at, at + AT_ONCE), confirm: true } }),
                    );
                },
                message: text.bulk.done(ids.length, 0),
              },
              clear,
            );
          }}
        />
      )}
    </div>
  );
}

/** Moves memories to other readers or to another project, and each back to the place that it had. */
function placing(to: { readonly visibility: Visibility } | { readonly to_project: string }) {
  const given = "to_project" in to ? { project: to.to_project } : to;
  const places = new Map<number, { readonly visibility: Visibility; readonly to_project: string }>();
  return [
    async (id: number) => {
      const { memory } = await answer(chest.GET("/api/memories/{id}", { params: { path: { id } } }));
      places.set(id, { visibility: memory.visibility as Visibility, to_project: memory.project ?? "" });
      return updateMemory({ memory_id: id, ...to });
    },
    async (id: number) => {
      const place = places.get(id);
      if (!place) return;
      const { visibility, to_project } = place;
      const back = { visibility, ...("to_project" in to && { to_project }) };
      return updateMemory({ ...(await stillAs(id, given)), ...back });
    },
  ] as const;
}

/** Saves the chosen memories, whole, as a file. */
async function exportAs(kind: ExportKind, ids: readonly number[]): Promise<void> {
  const memories: ExportedMemory[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const body = {
      ...{ ids: ids.slice(at, at + AT_ONCE), mark_accessed: false, explain: true, max_tokens: 200_000 },
      ...{ include_archived: true, include_superseded: true },
    };
    const found = await tool(chest.POST("/api/tools/chest_recall", { body }));
    memories.push(...hitsOf(found.memories));
  }
  const { type, write } = EXPORTS[kind];
  const url = URL.createObjectURL(new Blob([write(memories)], { type }));
  const link = Object.assign(document.createElement("a"), { href: url, download: `memories.${kind}` });
  link.click();
  URL.revokeObjectURL(url);
}
