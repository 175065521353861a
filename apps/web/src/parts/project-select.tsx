import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queries } from "../api/queries.ts";
import { number, text } from "../i18n/index.ts";

interface ProjectSelectProps {
  readonly label?: string;
  readonly error?: ReactNode;
  /** Key of the project; `""`: of no project. */
  readonly value: string | null;
  onChange(project: string | null): void;
}

/** Key of no project, which a select cannot have as its value. */
const NONE = " ";

/** Chooses one of the projects that hold something which the member may see, or none. */
export function ProjectSelect({ label, error, value, onChange }: ProjectSelectProps) {
  const { data: sums } = useQuery(queries.sums());
  const known = Object.entries(sums?.by_project ?? {}).filter(([key]) => key !== "none");
  if (value !== null && value !== "" && !known.some(([key]) => key === value)) known.unshift([value, 0]);
  return (
    <Select
      {...(label === undefined ? { "aria-label": text.memory.project } : { label })}
      placeholder={text.memory.project}
      nothingFoundMessage={text.palette.nothing}
      error={error}
      searchable
      value={value === "" ? NONE : value}
      data={[
        { value: NONE, label: text.home.noProject },
        ...known.map(([key, count]) => ({ value: key, label: count > 0 ? `${key} (${number(count)})` : key })),
      ]}
      onChange={(chosen) => onChange(chosen === NONE ? "" : chosen)}
    />
  );
}
