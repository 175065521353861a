import { Button, Group, Loader, Stack, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { mergePreview } from "../../api/changes.ts";
import { text } from "../../i18n/index.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, Problem } from "../../parts/page.tsx";

interface MergeProps {
  readonly ids: number[];
  close(): void;
  take(content: string): void;
}

/** Shows the text of a merge before it happens, so that the user can correct it. */
export function Merge({ ids, close, take }: MergeProps) {
  const [edited, setEdited] = useState<string>();
  const { data, error } = useQuery({
    queryKey: ["memories", "merge", ids],
    queryFn: () => mergePreview(ids),
    retry: false,
  });
  const content = edited ?? data ?? "";
  return (
    <Dialog title={text.inbox.mergeTitle(ids.length)} close={close} size="lg">
      <Form
        onSubmit={() => {
          close();
          take(content);
        }}
      >
        <Stack>
          {error && <Problem error={error} />}
          {data === undefined && !error && <Loader size="sm" role="img" aria-label={text.common.loading} />}
          <Textarea
            label={text.inbox.mergedText}
            value={content}
            onChange={({ currentTarget }) => setEdited(currentTarget.value)}
            autosize
            minRows={4}
            maxRows={16}
            required
          />
          <Group justify="end">
            <Button variant="default" onClick={close}>
              {text.common.cancel}
            </Button>
            <Button type="submit" data-autofocus disabled={content.trim() === ""}>
              {text.inbox.merge}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
}
