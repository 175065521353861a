import { Button, Group, Stack } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { text } from "../i18n/index.ts";
import { Dialog } from "./dialog.tsx";

interface UnsavedProps {
  readonly isDirty: boolean;
  /** Discards the unsaved text. */
  discard(): void;
}

/** Asks before a page with unsaved text is left: by a link, by Back, by a key or by closing the tab. */
export function Unsaved({ isDirty, discard }: UnsavedProps) {
  const blocker = useBlocker({ shouldBlockFn: () => isDirty, enableBeforeUnload: isDirty, withResolver: true });
  if (blocker.status !== "blocked") return null;
  const { proceed, reset } = blocker;
  return (
    <Dialog title={text.unsaved.title} close={reset}>
      <Stack>
        <p>{text.unsaved.lead}</p>
        <Group justify="end">
          <Button
            variant="subtle"
            color="red"
            onClick={() => {
              discard();
              proceed();
            }}
          >
            {text.unsaved.discard}
          </Button>
          <Button variant="default" onClick={proceed}>
            {text.unsaved.leave}
          </Button>
          <Button onClick={reset} data-autofocus>
            {text.unsaved.stay}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
