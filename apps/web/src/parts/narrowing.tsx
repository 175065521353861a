import { Group, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { text } from "../i18n/index.ts";
import { memberOption } from "./words/member-name.ts";

/** Filters of a page by member, project and day, as its address stores them. */
export interface Narrowed {
  readonly author?: string;
  readonly project?: string;
  /** Like 2026-11-22, by the browser's clock. */
  readonly day?: string;
}

export const isNarrowed = ({ author, project, day }: Narrowed): boolean => (author ?? project ?? day) !== undefined;

interface NarrowingProps {
  readonly of: Narrowed;
  set(narrowed: Narrowed): void;
}

/** Filters by member, project and day. */
export function Narrowing({ of: { author, project, day }, set }: NarrowingProps) {
  const { data: sums } = useQuery(queries.sums());
  const choose = (name: keyof Narrowed, value: string | null) =>
    set(
      Object.fromEntries(
        Object.entries({ author, project, day, [name]: value ?? "" }).filter(
          ([, each]) => each !== undefined && each !== "",
        ),
      ),
    );
  const options = (known: Readonly<Record<string, number>> = {}, value: string | undefined) => [
    ...new Set([...Object.keys(known).filter((each) => each !== "none"), ...(value === undefined ? [] : [value])]),
  ];
  const selects = [
    {
      name: "author",
      label: text.replay.member,
      data: options(sums?.by_author, author).map(memberOption),
      value: author,
    },
    { name: "project", label: text.memory.project, data: options(sums?.by_project, project), value: project },
  ] as const;
  return (
    <Group gap="xs" align="end" className="narrowing">
      {selects.map(({ name, label, data, value }) => (
        <Select
          key={name}
          size="xs"
          label={label}
          placeholder={text.common.all}
          searchable
          clearable
          data={data}
          value={value ?? null}
          onChange={(chosen) => choose(name, chosen)}
        />
      ))}
      <TextInput
        size="xs"
        type="date"
        label={text.replay.day}
        value={day ?? ""}
        onChange={({ currentTarget }) => choose("day", currentTarget.value)}
      />
    </Group>
  );
}
