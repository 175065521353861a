import { Button, Code, CopyButton, Stack } from "@mantine/core";
import { text } from "../../i18n/index.ts";

/** Text that is shown once, to be copied. */
export const Secret = ({ value }: { readonly value: string }) => (
  <Stack gap="xs" align="start">
    <Code block className="break">
      {value}
    </Code>
    <CopyButton value={value}>
      {({ copied, copy }) => <Button onClick={copy}>{copied ? text.common.copied : text.common.copy}</Button>}
    </CopyButton>
  </Stack>
);
