import { Button, Group } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { bringBack, updateMemory } from "../../api/changes.ts";
import { answer, chest } from "../../api/client.ts";
import type { WholeMemory } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { AskReason } from "../../parts/dialog.tsx";
import { notifyDone, notifyFailed, notifyUntilClosed } from "../../parts/notify.tsx";
import { shortened } from "../../parts/shortened.ts";
import { useChange } from "../../parts/use-change.ts";
import { VerdictButtons } from "../../parts/verdict.tsx";
import type { Me } from "../../shell/destinations.ts";

interface ActionsProps {
  readonly memory: WholeMemory["memory"];
  readonly me: Me;
  readonly isEditing: boolean;
  edit(): void;
}

/** Changes of the whole memory, as far as the member's rights reach. */
export function Actions({ memory: { id, state, version, content }, me, isEditing, edit }: ActionsProps) {
  const isLive = state === "live";
  const canWrite = me.scopes.includes("write");
  return (
    <Group gap="xs" className="actions">
      {canWrite && isLive && !isEditing && <VerdictButtons id={id} />}
      {canWrite && isLive && !isEditing && (
        <Button size="compact-sm" variant="default" onClick={edit}>
          {text.memory.edit}
        </Button>
      )}
      {canWrite && isLive && <Archive id={id} version={version} />}
      {me.scopes.includes("admin") && <Purge id={id} content={content} />}
    </Group>
  );
}

function Archive({ id, version }: { readonly id: number; readonly version: number }) {
  const [isOpen, setOpen] = useState(false);
  const { attempt, isPending } = useChange();
  const archive = (reason: string) =>
    attempt({
      run: () =>
        updateMemory({
          memory_id: id,
          archived: true,
          expected_version: version,
          ...(reason === "" ? {} : { reason }),
        }),
      message: text.memory.archived,
      undo: () => bringBack(id),
    });
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)} loading={isPending}>
        {text.memory.archive}
      </Button>
      {isOpen && (
        <AskReason
          title={text.memory.archive}
          lead={text.memory.archiveSure}
          isOptional
          close={() => setOpen(false)}
          take={archive}
        />
      )}
    </>
  );
}

const QUOTED = 200;

function Purge({ id, content }: { readonly id: number; readonly content: string }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const purge = useMutation({
    mutationFn: () => answer(chest.POST("/api/purge", { body: { ids: [id], confirm: true } })),
    onError: notifyFailed,
    async onSuccess({ backups_with_copies: copies }) {
      if (copies.length === 0) notifyDone(text.memory.purged);
      else notifyUntilClosed(text.memory.purgedWithCopies(copies.join(", ")));
      await navigate({ to: "/search" });
      await queryClient.invalidateQueries({ queryKey: ["memories"] });
    },
  });
  return (
    <Confirm
      title={text.memory.purge}
      question={
        <>
          <p>{text.memory.purgeSure}</p>
          <blockquote className="quoted stored" dir="auto">
            {shortened(content, QUOTED)}
          </blockquote>
        </>
      }
      word={text.bulk.purgeWord}
      onYes={() => purge.mutate()}
    >
      {(open) => (
        <Button size="compact-sm" variant="subtle" color="red" onClick={open} loading={purge.isPending}>
          {text.memory.purge}
        </Button>
      )}
    </Confirm>
  );
}
