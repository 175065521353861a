import { Button, Group, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { unchangedSince, updateMemory } from "../../api/changes.ts";
import { queries, type Version, type WholeMemory } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { nameOf, When } from "../../parts/memory-bits.tsx";
import { useChange } from "../../parts/use-change.ts";
import { memberName } from "../../parts/words/member-name.ts";
import { changesBetween, editsOf, type FieldChange, versionChanges, withVersion } from "./edits.ts";
import { WordDiff } from "./word-diff.tsx";

interface HistoryProps {
  readonly whole: WholeMemory;
  readonly canWrite: boolean;
}

/** Versions, newest first, each with every field that it changed. */
export function HistoryList({ whole, canWrite }: HistoryProps) {
  const { id, state, version: current } = whole.memory;
  const [isAll, setAll] = useState(false);
  const all = useQuery({ ...queries.history(id), enabled: isAll });
  const versions: readonly Version[] = all.data?.versions ?? whole.versions;
  const isCut = versions.length < whole.versions_total && !all.data;
  const { change, isPending } = useChange();
  const now = editsOf(whole);
  const restore = (old: Version) => {
    const then = withVersion(now, old);
    change({
      run: () => updateMemory({ memory_id: id, expected_version: current, ...changesBetween(now, then) }),
      message: text.memory.versionBack(old.version),
      undo: (done) => updateMemory({ memory_id: id, ...changesBetween(then, now), ...unchangedSince(done) }),
    });
  };
  return (
    <>
      <ol className="versions">
        {versions.map((version, index) => {
          const before = versions[index + 1];
          const isOther = index > 0 && Object.keys(changesBetween(now, withVersion(now, version))).length > 0;
          return (
            <li key={`${version.version} ${version.until ?? ""}`}>
              <Group justify="space-between" gap="xs">
                <span className="meta">
                  <b>{text.memory.version(version.version)}</b>
                  {version.until === undefined && <span className="chip chip-strong">{text.memory.now}</span>}
                  {before ? <Made by={before} /> : version.version === 1 && <Written memory={whole.memory} />}
                </span>
                {canWrite && isOther && state === "live" && (
                  <Button size="compact-xs" variant="default" loading={isPending} onClick={() => restore(version)}>
                    {text.memory.restoreVersion}
                  </Button>
                )}
              </Group>
              {before ? <Changes before={before} after={version} /> : <FirstWording version={version} />}
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

/** Change that made a version: it ended the one before. */
const Made = ({ by: { ended_by: op = "", changed_by: by, until, reason, ...moved } }: { readonly by: Version }) => (
  <>
    <span>
      {changeText(op, moved)} {text.memory.by(memberName(by ?? ""))}
    </span>
    {until && <When at={until} />}
    {reason && <bdi>“{nameOf({ ...text.archivedFor, ...text.inbox.rules }, reason)}”</bdi>}
  </>
);

function changeText(op: string, { moved_from: from, moved_to: to }: Pick<Version, "moved_from" | "moved_to">): string {
  return from || to ? text.memory.movedBetween(from, to) : nameOf(text.memory.endedBy, op);
}

const Written = ({ memory: { author, created_at: at } }: { readonly memory: WholeMemory["memory"] }) => (
  <>
    <span>
      {text.memory.written} {text.memory.by(memberName(author))}
    </span>
    <When at={at * 1000} />
  </>
);

function Changes({ before, after }: { readonly before: Version; readonly after: Version }) {
  const { isReworded, fields, tagsAdded, tagsRemoved } = versionChanges(before, after);
  const areTags = tagsAdded.length + tagsRemoved.length > 0;
  return (
    <>
      {(fields.length > 0 || areTags) && (
        <dl className="facts changes">
          {fields.map((change) => (
            <Changed key={change.field} change={change} />
          ))}
          {areTags && (
            <>
              <dt>{text.memory.tags}</dt>
              <dd>
                {tagsRemoved.map((tag) => (
                  <del key={tag}>#{tag}</del>
                ))}{" "}
                {tagsAdded.map((tag) => (
                  <ins key={tag}>#{tag}</ins>
                ))}
              </dd>
            </>
          )}
        </dl>
      )}
      {isReworded && <WordDiff before={before.content} after={after.content} isRegion />}
      {before.ended_by === "revise" && !isReworded && fields.length === 0 && !areTags && (
        <p className="lead">{text.memory.sameWording}</p>
      )}
    </>
  );
}

const FIELD_NAMES = {
  title: () => text.memory.ownTitle,
  layer: () => text.memory.layer,
  category: () => text.memory.category,
  certainty: () => text.memory.certainty,
  importance: () => text.memory.importance,
  visibility: () => text.memory.visibility,
} as const satisfies Record<FieldChange["field"], () => string>;

function said(field: FieldChange["field"], value: string | number | undefined): string {
  if (value === undefined) return text.common.none;
  if (typeof value === "number") return number(value);
  const names = {
    ...{ title: {}, importance: {} },
    ...{ layer: text.layers, category: text.categories, certainty: text.certainties },
    visibility: text.memory.visibilities,
  }[field];
  return nameOf(names, value);
}

const Changed = ({ change: { field, before, after } }: { readonly change: FieldChange }) => (
  <>
    <dt>{FIELD_NAMES[field]()}</dt>
    <dd>
      <del>{said(field, before)}</del> → <ins>{said(field, after)}</ins>
    </dd>
  </>
);

/** Wording that a memory began with, on demand: for most it stands on the page already. */
function FirstWording({ version }: { readonly version: Version }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <UnstyledButton className="why-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? text.memory.hideWording : text.memory.showWording}
      </UnstyledButton>
      {isOpen && <WordDiff before={version.content} after={version.content} isRegion />}
    </>
  );
}
