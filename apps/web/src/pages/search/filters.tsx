import { Button, Group, NativeSelect, SegmentedControl, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { LAYERS, queries } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { nameOf } from "../../parts/memory-bits.tsx";
import type { SearchFilters } from "../../router.tsx";

/** Order and form of what was found. */
export function Arrangement({ filters, change }: FiltersProps) {
  return (
    <>
      <NativeSelect
        size="xs"
        variant="unstyled"
        aria-label={text.search.sort}
        value={filters.sort ?? ""}
        onChange={({ currentTarget: { value } }) => change({ sort: value || undefined })}
        data={[
          { value: "", label: text.search.relevance },
          { value: "recent", label: text.search.recent },
        ]}
      />
      <SegmentedControl
        size="xs"
        aria-label={text.search.view}
        value={filters.view ?? "list"}
        onChange={(view) => change({ view: view === "table" ? view : undefined })}
        data={[
          { value: "list", label: text.search.list },
          { value: "table", label: text.search.table },
        ]}
      />
    </>
  );
}

interface FiltersProps {
  readonly filters: SearchFilters;
  change(part: Partial<Record<keyof SearchFilters, string | undefined>>): void;
}

/** Narrows the search; every filter stands in the address. */
export function Filters({ filters, change }: FiltersProps) {
  const { data } = useQuery(queries.projects());
  const projects = data?.projects.map(({ key }) => key) ?? [];
  const set =
    (name: keyof SearchFilters) =>
    ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
      change({ [name]: value || undefined });
  const isNarrowed = Object.keys(filters).some((name) => !["q", "view"].includes(name));
  return (
    <Group gap={8} my={8} role="group" aria-label={text.search.filters}>
      <NativeSelect
        size="xs"
        aria-label={text.search.project}
        value={filters.project ?? ""}
        onChange={set("project")}
        data={[{ value: "", label: text.search.anyProject }, ...projects]}
      />
      <NativeSelect
        size="xs"
        aria-label={text.search.layer}
        value={filters.layer ?? ""}
        onChange={set("layer")}
        data={[
          { value: "", label: text.search.anyLayer },
          ...LAYERS.map((layer) => ({ value: layer, label: nameOf(text.layers, layer) })),
        ]}
      />
      <TextInput
        size="xs"
        w={110}
        aria-label={text.search.entity}
        placeholder={text.search.entity}
        key={`e${filters.entity}`}
        defaultValue={filters.entity}
        onBlur={set("entity")}
        onKeyDown={onEnter(set("entity"))}
      />
      <TextInput
        size="xs"
        w={80}
        aria-label={text.search.tag}
        placeholder={text.search.tag}
        key={`t${filters.tag}`}
        defaultValue={filters.tag}
        onBlur={set("tag")}
        onKeyDown={onEnter(set("tag"))}
      />
      <TextInput
        size="xs"
        type="date"
        aria-label={text.search.since}
        value={filters.since ?? ""}
        onChange={set("since")}
      />
      <TextInput
        size="xs"
        type="date"
        aria-label={text.search.until}
        value={filters.until ?? ""}
        onChange={set("until")}
      />
      <NativeSelect
        size="xs"
        aria-label={text.search.state}
        value={filters.state ?? ""}
        onChange={set("state")}
        data={[
          { value: "", label: text.search.live },
          { value: "archived", label: text.search.withArchived },
          { value: "superseded", label: text.search.withSuperseded },
        ]}
      />
      {isNarrowed && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() =>
            change({
              project: undefined,
              layer: undefined,
              entity: undefined,
              tag: undefined,
              since: undefined,
              until: undefined,
              state: undefined,
              sort: undefined,
            })
          }
        >
          {text.search.clear}
        </Button>
      )}
    </Group>
  );
}

type Changed = { readonly currentTarget: { readonly value: string } };
const onEnter = (set: (event: Changed) => void) => (event: Changed & { readonly key: string }) => {
  if (event.key === "Enter") set(event);
};
