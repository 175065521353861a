import { Button, CloseButton, Group, Popover, Select, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LAYERS, queries, readView } from "../../api/queries.ts";
import { number, recentTimes, text } from "../../i18n/index.ts";
import { Form } from "../../parts/page.tsx";
import type { SearchFilters } from "../../router.tsx";
import { type FiltersProps, LABELS, NAMES, type Name, states, valueText } from "./filter-names.ts";

/** Menu of the filters, each with the values that there are and how many memories have them. */
export function FilterMenu({ filters, change, close }: FiltersProps & { close(): void }) {
  const { data: sums } = useQuery(queries.sums());
  const { data: tags } = useQuery({
    queryKey: ["memories", "tags"],
    queryFn: () => readView("tags", { project: "*", limit: 200 }),
  });
  const { data: entities } = useQuery(queries.entities({ offset: 0, limit: 200 }));
  const counts: Readonly<Partial<Record<Name, Readonly<Record<string, number>>>>> = {
    project: sums?.by_project ?? {},
    author: sums?.by_author ?? {},
    layer: sums?.by_layer ?? Object.fromEntries(LAYERS.map((layer) => [layer, 0])),
    category: sums?.by_category ?? {},
    tag: Object.fromEntries(tags?.items.map(({ tag, count }) => [tag, count]) ?? []),
    entity: Object.fromEntries(entities?.entities.map(({ name, memory_count: count }) => [name, count]) ?? []),
    state: Object.fromEntries(Object.keys(states()).map((state) => [state, 0])),
  };
  return (
    <Popover opened onChange={close} position="bottom-start" width={320} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <span className="menu-anchor" />
      </Popover.Target>
      <Popover.Dropdown aria-label={text.search.filters}>
        <Stack gap={8}>
          {NAMES.map((name) =>
            name === "since" || name === "until" ? (
              <Time key={`${name} ${filters[name]}`} name={name} value={filters[name]} change={change} />
            ) : (
              <Select
                key={name}
                size="xs"
                label={LABELS[name]()}
                placeholder={text.common.all}
                nothingFoundMessage={text.palette.nothing}
                searchable
                clearable
                comboboxProps={{ withinPortal: false }}
                value={filters[name] ?? null}
                data={optionsOf(name, counts[name] ?? {}, filters[name])}
                onChange={(value) => change({ [name]: value ?? undefined })}
              />
            ),
          )}
          <Saved filters={filters} change={change} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Field for a date such as 2026-11-22, or words such as `last week`. The search starts when the input is complete. */
function Time({
  name,
  value,
  change,
}: { readonly name: "since" | "until"; readonly value: string | undefined } & Pick<FiltersProps, "change">) {
  const set = (input: string) => input !== (value ?? "") && change({ [name]: input || undefined });
  return (
    <>
      <datalist id={`times-${name}`}>
        {recentTimes().map((words) => (
          <option key={words} value={words} />
        ))}
      </datalist>
      <TextInput
        size="xs"
        list={`times-${name}`}
        label={LABELS[name]()}
        defaultValue={value}
        onBlur={({ currentTarget }) => set(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => key === "Enter" && set(currentTarget.value)}
      />
    </>
  );
}

/** Known values with their counts, and the chosen value even if no memory has it. */
function optionsOf(name: Name, counts: Readonly<Record<string, number>>, chosen: string | undefined) {
  const known = Object.entries(counts).filter(([value]) => value !== "none");
  if (chosen !== undefined && !known.some(([value]) => value === chosen)) known.unshift([chosen, 0]);
  return known.map(([value, count]) => ({
    value,
    label: count > 0 ? `${valueText(name, value)} (${number(count)})` : valueText(name, value),
  }));
}

/** Views that this member keeps by name. */
function Saved({ filters, change }: FiltersProps) {
  const { data: me } = useQuery(queries.whoami());
  const member = me?.member ?? "";
  const [views, setViews] = useState(() => savedViews(member));
  const [name, setName] = useState("");
  const set = (next: readonly SavedView[]) => {
    keepViews(member, next);
    setViews(next);
  };
  const open = (view: SavedView) =>
    change({ ...Object.fromEntries([...NAMES, "q", "sort"].map((each) => [each, undefined])), ...view.filters });
  const given = name.trim();
  return (
    <Form
      onSubmit={() => {
        if (given === "") return;
        set([...views.filter((view) => view.name !== given), { name: given, filters }]);
        setName("");
      }}
    >
      {views.length > 0 && (
        <Group gap={6} mb={8}>
          {views.map((view) => (
            <span key={view.name} className="filter-chip">
              <button type="button" className="plain" onClick={() => open(view)}>
                {view.name}
              </button>
              <CloseButton
                size="xs"
                onClick={() => set(views.filter((each) => each !== view))}
                aria-label={`${text.search.removeView} ${view.name}`}
              />
            </span>
          ))}
        </Group>
      )}
      <Group gap={6} wrap="nowrap" align="end">
        <TextInput
          size="xs"
          flex={1}
          label={text.search.saveView}
          placeholder={text.people.name}
          maxLength={60}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default" disabled={given === ""}>
          {text.common.save}
        </Button>
      </Group>
    </Form>
  );
}

interface SavedView {
  readonly name: string;
  readonly filters: SearchFilters;
}

const MOST = 30;
const keyOf = (member: string): string => `chest-views ${JSON.stringify([member])}`;

/** Filters that a member keeps by name, in this browser. */
function savedViews(member: string): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(member)) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** Keeps the views in place of those before. */
function keepViews(member: string, views: readonly SavedView[]): void {
  try {
    localStorage.setItem(keyOf(member), JSON.stringify(views.slice(0, MOST)));
  } catch {
    // A browser that keeps nothing offers no saved views; the address still holds the filters.
  }
}
