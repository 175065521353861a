import { Button, Code, CopyButton, Group } from "@mantine/core";
import { text } from "../i18n/index.ts";

/** Command or setting, with a button that copies it. */
export const CopyCode = ({ children }: { readonly children: string }) => (
  <Group gap={6} wrap="nowrap">
    <Code className="break">{children}</Code>
    <CopyButton value={children}>
      {({ copied, copy }) => (
        <Button size="compact-xs" variant="default" onClick={copy} aria-label={`${text.common.copy} ${children}`}>
          {copied ? text.common.copied : text.common.copy}
        </Button>
      )}
    </CopyButton>
  </Group>
);
