import { Alert, Button, Group, NativeSelect, NumberInput, Stack, TagsInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { getHotkeyHandler } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { updateMemory } from "../../api/changes.ts";
import { queries, type WholeMemory } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import type { Draft } from "../../parts/drafts.ts";
import { notifyDone, refuse } from "../../parts/notify.tsx";
import { StatementFields } from "../../parts/statement-fields.tsx";
import { Unsaved } from "../../parts/unsaved.tsx";
import { changesBetween, type EditedMemory, type Edits, editsOf } from "./edits.ts";
import { WordDiff } from "./word-diff.tsx";

interface EditorProps {
  readonly whole: WholeMemory;
  readonly draft: Draft<EditedMemory>;
  close(): void;
}

/** Edits a memory in place, and keeps what is not saved as a draft. A concurrent change is a conflict, and is shown. */
export function Editor({ whole, draft, close }: EditorProps) {
  const { id } = whole.memory;
  const queryClient = useQueryClient();
  const [kept] = useState(draft.read);
  const [begun, setBegun] = useState(() => kept?.begun ?? { version: whole.memory.version, ...editsOf(whole) });
  const [theirs, setTheirs] = useState<WholeMemory>();
  const { version: _version, ...initial } = begun;
  const form = useForm<Edits>({ mode: "controlled", initialValues: kept?.edits ?? initial });
  const edits = form.getValues();
  const isDirty = Object.keys(changesBetween(begun, edits)).length > 0;
  useEffect(() => {
    if (isDirty) draft.keep({ begun, edits });
    else draft.drop();
  }, [draft, begun, edits, isDirty]);

  const save = useMutation({
    mutationFn: (expected: number) =>
      updateMemory({ memory_id: id, expected_version: expected, ...changesBetween(begun, edits) }),
    async onSuccess({ version: saved }) {
      draft.drop();
      await queryClient.invalidateQueries({ queryKey: ["memories"] });
      if (saved !== undefined) notifyDone(text.memory.saved(saved));
      close();
    },
    async onError(error) {
      if (error instanceof ApiError && error.code === "VERSION_CONFLICT")
        return setTheirs(await queryClient.fetchQuery({ ...queries.memory(id), staleTime: 0 }));
      refuse(form, error);
    },
  });
  const submit = () => {
    if (!save.isPending) save.mutate(begun.version);
  };
  const cancel = () => {
    draft.drop();
    close();
  };
  const takeTheirs = () => {
    if (!theirs) return;
    setBegun({ version: theirs.memory.version, ...editsOf(theirs) });
    form.setValues(editsOf(theirs));
    setTheirs(undefined);
  };
  return (
    <form
      onSubmit={form.onSubmit(submit)}
      onKeyDown={getHotkeyHandler([
        ["mod+Enter", submit],
        // The draft stays.
        ["Escape", close],
      ])}
    >
      <Unsaved isDirty={isDirty && !save.isSuccess} discard={draft.drop} />
      <Stack gap="sm">
        {theirs && (
          <Alert color="yellow" variant="outline" title={text.memory.conflict} role="alert">
            <p>{text.memory.conflictHint}</p>
            <p className="lead">{text.memory.theirs}</p>
            <WordDiff before={begun.content} after={theirs.memory.content} />
            <Group mt="sm">
              <Button size="compact-sm" variant="default" onClick={takeTheirs}>
                {text.memory.takeTheirs}
              </Button>
              <Button size="compact-sm" color="red" onClick={() => save.mutate(theirs.memory.version)}>
                {text.memory.saveOver}
              </Button>
            </Group>
          </Alert>
        )}
        <StatementFields
          label={theirs && text.memory.yours}
          mayHaveNoCategory={edits.category === ""}
          field={form.getInputProps}
        />
        <Group grow align="start">
          <NumberInput
            label={text.memory.importance}
            {...form.getInputProps("importance")}
            min={0}
            max={1}
            step={0.1}
            decimalScale={2}
          />
          <NativeSelect
            label={text.memory.certainty}
            {...form.getInputProps("certainty")}
            data={Object.entries(text.certainties).map(([value, label]) => ({ value, label }))}
          />
        </Group>
        <TagsInput
          label={text.memory.tags}
          placeholder={text.memory.addTag}
          value={[...edits.tags]}
          onChange={(tags) => form.setFieldValue("tags", tags)}
          error={form.errors.add_tags ?? form.errors.remove_tags}
        />
        <Group justify="end">
          <span className="lead keys">Ctrl Enter</span>
          <Button variant="default" onClick={cancel}>
            {text.common.cancel}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {text.common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
