import { Alert, Button, Group, NativeSelect, NumberInput, Stack, TagsInput, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, chest, tool } from "../../api/client.ts";
import { LAYERS, queries, type WholeMemory } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { notifyDone, notifyFailed } from "../../parts/notify.tsx";
import { WordDiff } from "./word-diff.tsx";

interface EditorProps {
  readonly memory: WholeMemory["memory"];
  close(): void;
}

/** Edits a memory in place. A concurrent change is a conflict, and is shown. */
export function Editor({ memory, close }: EditorProps) {
  const { id } = memory;
  const queryClient = useQueryClient();
  const [begun, setBegun] = useState(memory);
  const [content, setContent] = useState(memory.content);
  const [layer, setLayer] = useState(memory.layer);
  const [importance, setImportance] = useState(memory.importance);
  const [tags, setTags] = useState<readonly string[]>(memory.tags);
  const [theirs, setTheirs] = useState<WholeMemory["memory"]>();
  const save = useMutation({
    mutationFn: (expected: number) => {
      const body = {
        ...{ memory_id: id, expected_version: expected },
        ...(content !== begun.content && { content }),
        ...(layer !== begun.layer && { layer }),
        ...(importance !== begun.importance && { importance }),
        ...listed(
          "add_tags",
          tags.filter((tag) => !begun.tags.includes(tag)),
        ),
        ...listed(
          "remove_tags",
          begun.tags.filter((tag) => !tags.includes(tag)),
        ),
      };
      return tool(chest.POST("/api/tools/chest_update_memory", { body: body }));
    },
    async onSuccess({ version: saved }) {
      await queryClient.invalidateQueries({ queryKey: ["memories"] });
      if (saved !== undefined) notifyDone(text.memory.saved(saved));
      close();
    },
    async onError(error) {
      if (!(error instanceof ApiError && error.code === "VERSION_CONFLICT")) return notifyFailed(error);
      setTheirs((await queryClient.fetchQuery({ ...queries.memory(id), staleTime: 0 })).memory);
    },
  });
  const takeTheirs = () => {
    if (!theirs) return;
    setContent(theirs.content);
    setBegun(theirs);
    setLayer(theirs.layer);
    setImportance(theirs.importance);
    setTags(theirs.tags);
    setTheirs(undefined);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(begun.version);
      }}
    >
      <Stack gap="sm">
        {theirs && (
          <Alert color="yellow" variant="outline" title={text.memory.conflict} role="alert">
            <p>{text.memory.conflictHint}</p>
            <p className="lead">{text.memory.theirs}</p>
            <WordDiff before={begun.content} after={theirs.content} />
            <Group mt="sm">
              <Button size="compact-sm" variant="default" onClick={takeTheirs}>
                {text.memory.takeTheirs}
              </Button>
              <Button size="compact-sm" color="red" onClick={() => save.mutate(theirs.version)}>
                {text.memory.saveOver}
              </Button>
            </Group>
          </Alert>
        )}
        <Textarea
          label={theirs ? text.memory.yours : text.memory.content}
          value={content}
          onChange={({ currentTarget }) => setContent(currentTarget.value)}
          autosize
          minRows={5}
          maxRows={24}
          autoFocus
          required
        />
        <Group grow align="start">
          <NativeSelect
            label={text.memory.layer}
            value={layer}
            onChange={({ currentTarget }) => setLayer(currentTarget.value)}
            data={LAYERS.map((value) => ({ value, label: text.layers[value] ?? value }))}
          />
          <NumberInput
            label={text.memory.importance}
            value={importance}
            onChange={(value) => setImportance(Number(value))}
            min={0}
            max={1}
            step={0.1}
            decimalScale={2}
          />
        </Group>
        <TagsInput label={text.memory.tags} placeholder={text.memory.addTag} value={[...tags]} onChange={setTags} />
        <Group justify="end">
          <Button variant="default" onClick={close}>
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

const listed = (name: string, values: readonly string[]) => (values.length === 0 ? {} : { [name]: values });
