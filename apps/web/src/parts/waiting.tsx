import { Center, Loader } from "@mantine/core";
import { text } from "../i18n/index.ts";

export const Waiting = () => (
  <Center p="xl">
    <Loader size="sm" role="img" aria-label={text.common.loading} />
  </Center>
);
