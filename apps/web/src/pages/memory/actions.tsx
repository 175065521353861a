import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { bringBack, updateMemory, useChange } from "../../api/changes.ts";
import { answer, chest } from "../../api/client.ts";
import type { WholeMemory } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { notifyDone, notifyFailed, notifyKept } from "../../parts/notify.tsx";
import type { Me } from "../../shell/destinations.ts";

interface ActionsProps {
  readonly memory: WholeMemory["memory"];
  readonly me: Me;
  readonly isEditing: boolean;
  edit(): void;
}

/** Changes of the whole memory, as far as the member's rights reach. */
export function Actions({ memory: { id, state, version }, me, isEditing, edit }: ActionsProps) {
  const isLive = state === "live";
  const canWrite = me.scopes.includes("write");
  return (
    <Group gap="xs">
      {canWrite && isLive && !isEditing && (
        <Button size="compact-sm" variant="default" onClick={edit}>
          {text.memory.edit}
        </Button>
      )}
      {canWrite && isLive && <Archive id={id} version={version} />}
      {me.scopes.includes("admin") && <Purge id={id} />}
    </Group>
  );
}

function Archive({ id, version }: { readonly id: number; readonly version: number }) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const { change, isPending } = useChange();
  const archive = () => {
    const why = reason.trim() === "" ? {} : { reason: reason.trim() };
    setOpen(false);
    change({
      run: () => updateMemory({ memory_id: id, archived: true, expected_version: version, ...why }),
      told: text.memory.archived,
      undo: () => bringBack(id),
    });
  };
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)} loading={isPending}>
        {text.memory.archive}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={text.memory.archive}
        closeButtonProps={{ "aria-label": text.common.close }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            archive();
          }}
        >
          <Stack>
            <p>{text.memory.archiveSure}</p>
            <TextInput
              label={text.common.reason}
              description={text.common.optional}
              value={reason}
              maxLength={500}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
              data-autofocus
            />
            <Group justify="end">
              <Button type="submit">{text.memory.archive}</Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

function Purge({ id }: { readonly id: number }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const purge = useMutation({
    mutationFn: () => answer(chest.POST("/api/purge", { body: { ids: [id], confirm: true } })),
    onError: notifyFailed,
    async onSuccess({ backups_with_copies: copies }) {
      if (copies.length === 0) notifyDone(text.memory.purged);
      else notifyKept(text.memory.purgedWithCopies(copies.join(", ")));
      await navigate({ to: "/search" });
      await queryClient.invalidateQueries({ queryKey: ["memories"] });
    },
  });
  return (
    <Confirm title={text.memory.purge} question={text.memory.purgeSure} onYes={() => purge.mutate()}>
      {(open) => (
        <Button size="compact-sm" variant="subtle" color="red" onClick={open} loading={purge.isPending}>
          {text.memory.purge}
        </Button>
      )}
    </Confirm>
  );
}
