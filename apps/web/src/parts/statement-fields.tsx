import { Group, NativeSelect, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { LAYERS } from "../api/queries.ts";
import { text } from "../i18n/index.ts";
import { nameOf } from "./memory-bits.tsx";

interface StatementFieldsProps {
  readonly label?: string | undefined;
  readonly description?: ReactNode;
  /** Whether the memory may be of no category. */
  readonly mayHaveNoCategory: boolean;
  /** Value, change and error of a field, as a form gives them. */
  field(name: "content" | "title" | "layer" | "category"): object;
}

/** Form fields for a memory's text and kind, shared by the forms that create and edit memories. */
export const StatementFields = ({
  label = text.memory.content,
  description,
  mayHaveNoCategory,
  field,
}: StatementFieldsProps) => (
  <>
    <Textarea
      label={label}
      description={description}
      {...field("content")}
      autosize
      minRows={5}
      maxRows={24}
      autoFocus
      required
    />
    <TextInput
      label={text.memory.ownTitle}
      description={text.memory.ownTitleHint}
      {...field("title")}
      maxLength={200}
    />
    <Group grow align="start">
      <NativeSelect
        label={text.memory.layer}
        {...field("layer")}
        data={LAYERS.map((value) => ({ value, label: nameOf(text.layers, value) }))}
      />
      <NativeSelect
        label={text.memory.category}
        {...field("category")}
        data={[
          ...(mayHaveNoCategory ? [{ value: "", label: text.common.none }] : []),
          ...Object.entries(text.categories).map(([value, label]) => ({ value, label })),
        ]}
      />
    </Group>
  </>
);
