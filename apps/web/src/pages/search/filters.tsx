import { Button, NativeSelect, SegmentedControl, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { LAYERS, queries } from "../../api/queries.ts";
import { number, recentTimes, text } from "../../i18n/index.ts";
import { nameOf } from "../../parts/memory-bits.tsx";
import type { SearchFilters } from "../../router.tsx";
import { asksInWords, isNarrowed, orderOf } from "./use-hits.ts";

/** Order and form of what was found. */
export function Arrangement({ filters, change }: FiltersProps) {
  return (
    <>
      <NativeSelect
        size="xs"
        variant="unstyled"
        aria-label={text.search.sort}
        value={orderOf(filters)}
        onChange={({ currentTarget: { value } }) => change({ sort: value || undefined })}
        data={ordersFor(filters)}
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

function ordersFor(filters: SearchFilters) {
  const recent = { value: "recent", label: text.search.recent };
  if (asksInWords(filters)) return [{ value: "", label: text.search.relevance }, recent];
  const newest = { ...recent, value: "" };
  return isNarrowed(filters) ? [newest] : [newest, { value: "use", label: text.search.byUse }];
}

/** Times that are offered beside dates, such as 2026-11-22. */
const TIMES = "recent-times";
/** A time says nothing of which end it is: its name stands before it. */
const [DATE_LABEL, DATE_WIDTH] = [52, 168];

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
  const [isOpen, { toggle }] = useDisclosure(false);
  const narrowed = Object.keys(filters).filter((name) => !["q", "view", "sort"].includes(name));
  return (
    <fieldset className="filters" aria-label={text.search.filters} data-open={isOpen || undefined}>
      <Button size="compact-sm" variant="default" onClick={toggle} aria-expanded={isOpen} hiddenFrom="sm">
        {text.search.filters}
        {narrowed.length > 0 && ` ${number(narrowed.length)}`}
      </Button>
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
      <NativeSelect
        size="xs"
        aria-label={text.search.category}
        value={filters.category ?? ""}
        onChange={set("category")}
        data={[
          { value: "", label: text.search.anyCategory },
          ...Object.entries(text.categories)
            .filter(([value]) => value !== "none")
            .map(([value, label]) => ({ value, label })),
        ]}
      />
      <TextInput
        size="xs"
        className="filter-words"
        aria-label={text.search.entity}
        placeholder={text.search.entity}
        key={`e${filters.entity}`}
        defaultValue={filters.entity}
        onBlur={set("entity")}
        onKeyDown={onEnter(set("entity"))}
      />
      <TextInput
        size="xs"
        className="filter-words"
        aria-label={text.search.tag}
        placeholder={text.search.tag}
        key={`t${filters.tag}`}
        defaultValue={filters.tag}
        onBlur={set("tag")}
        onKeyDown={onEnter(set("tag"))}
      />
      <TextInput
        size="xs"
        className="filter-words"
        aria-label={text.search.author}
        placeholder={text.search.author}
        key={`a${filters.author}`}
        defaultValue={filters.author}
        onBlur={set("author")}
        onKeyDown={onEnter(set("author"))}
      />
      <datalist id={TIMES}>
        {recentTimes().map((words) => (
          <option key={words} value={words} />
        ))}
      </datalist>
      <TextInput
        size="xs"
        list={TIMES}
        w={DATE_WIDTH}
        aria-label={text.search.since}
        leftSection={<span className="meta">{text.search.since}</span>}
        leftSectionWidth={DATE_LABEL}
        leftSectionPointerEvents="none"
        key={`since${filters.since}`}
        defaultValue={filters.since}
        onBlur={set("since")}
        onKeyDown={onEnter(set("since"))}
      />
      <TextInput
        size="xs"
        list={TIMES}
        w={DATE_WIDTH}
        aria-label={text.search.until}
        leftSection={<span className="meta">{text.search.until}</span>}
        leftSectionWidth={DATE_LABEL}
        leftSectionPointerEvents="none"
        key={`until${filters.until}`}
        defaultValue={filters.until}
        onBlur={set("until")}
        onKeyDown={onEnter(set("until"))}
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
          { value: "journal", label: text.search.withJournal },
        ]}
      />
      {narrowed.length > 0 && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() =>
            change({
              project: undefined,
              layer: undefined,
              category: undefined,
              entity: undefined,
              tag: undefined,
              author: undefined,
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
    </fieldset>
  );
}

type Changed = { readonly currentTarget: { readonly value: string } };
const onEnter = (set: (event: Changed) => void) => (event: Changed & { readonly key: string }) => {
  if (event.key === "Enter") set(event);
};
