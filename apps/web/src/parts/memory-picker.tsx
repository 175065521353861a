import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { answer, chest, tool } from "../api/client.ts";
import { hitsOf } from "../api/queries.ts";
import { text } from "../i18n/index.ts";
import { shortened } from "./shortened.ts";

interface MemoryPickerProps {
  readonly label: string;
  readonly value: number | undefined;
  /** Memory to leave out of the options. */
  readonly without?: number;
  readonly error?: ReactNode;
  onChange(id: number | undefined): void;
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** Picks a memory by its number or by words. */
export function MemoryPicker({ label, value, without, error, onChange }: MemoryPickerProps) {
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState<Option>();
  const [asked] = useDebouncedValue(words.trim(), 150);
  const { data = [] } = useQuery({
    queryKey: ["memories", "pick", asked],
    queryFn: () => findMemories(asked),
    enabled: asked !== "" && asked !== chosen?.label,
    placeholderData: keepPreviousData,
  });
  const options = [...data.filter(({ value: id }) => id !== String(without))];
  if (chosen && !options.some(({ value: id }) => id === chosen.value)) options.unshift(chosen);
  return (
    <Select
      size="xs"
      label={label}
      error={error}
      placeholder={text.memory.pick}
      nothingFoundMessage={asked === "" ? undefined : text.palette.nothing}
      searchable
      clearable
      value={value === undefined ? null : String(value)}
      searchValue={words}
      onSearchChange={setWords}
      data={options}
      // No filter in the browser: the backend has searched already, also for synonyms.
      filter={({ options: all }) => all}
      onChange={(id) => {
        setChosen(options.find((option) => option.value === id));
        onChange(id === null ? undefined : Number(id));
      }}
    />
  );
}

/** Memories by their number or by words, as options of a list. */
export async function findMemories(words: string): Promise<Option[]> {
  if (/^#?\d+$/.test(words)) {
    const id = Number(words.replace("#", ""));
    const { memory } = await answer(chest.GET("/api/memories/{id}", { params: { path: { id } } }));
    return [optionOf(memory.id, memory.title)];
  }
  const body = { query: words, limit: 8, mark_accessed: false, snippet_mode: true };
  const { memories } = await tool(chest.POST("/api/tools/chest_recall", { body }));
  return hitsOf(memories).map(({ id, title, content }) => optionOf(id, title ?? content));
}

const MOST_LABEL = 90;
const optionOf = (id: number, says: string): Option => ({
  value: String(id),
  label: `#${id} ${shortened(says, MOST_LABEL)}`,
});
