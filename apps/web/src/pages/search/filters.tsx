import { Button, CloseButton, Group, NativeSelect, SegmentedControl } from "@mantine/core";
import { lazy, Suspense, useRef, useState } from "react";
import { number, text } from "../../i18n/index.ts";
import type { SearchFilters } from "../../router.tsx";
import { type FiltersProps, LABELS, NAMES, valueText } from "./filter-names.ts";
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

const FilterMenu = lazy(async () => ({ default: (await import("./filter-menu.tsx")).FilterMenu }));

/** Narrows the search by one menu of known values, with how many memories each has. Every filter stands in the address. */
export function Filters({ filters, change }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  // Pressing the button while the menu is open closes the menu as a press outside of it; the click that follows must not
  // reopen it.
  const wasOpen = useRef(false);
  const open = () => {
    setOpen(!wasOpen.current);
    wasOpen.current = false;
  };
  const narrowed = NAMES.filter((name) => filters[name] !== undefined);
  return (
    <Group gap={6} className="filters" role="group" aria-label={text.search.filters}>
      <span className="menu-place">
        <Button
          size="compact-sm"
          variant="default"
          onPointerDown={() => {
            wasOpen.current = isOpen;
          }}
          onClick={open}
          aria-expanded={isOpen}
          aria-haspopup="dialog"
        >
          {text.search.filters}
          {narrowed.length > 0 && ` ${number(narrowed.length)}`}
        </Button>
        {isOpen && (
          <Suspense>
            <FilterMenu filters={filters} change={change} close={() => setOpen(false)} />
          </Suspense>
        )}
      </span>
      {narrowed.map((name) => (
        <span key={name} className="filter-chip">
          {LABELS[name]()}: <bdi>{valueText(name, filters[name] ?? "")}</bdi>
          <CloseButton
            size="xs"
            onClick={() => change({ [name]: undefined })}
            aria-label={`${text.search.clear}: ${LABELS[name]()}`}
          />
        </span>
      ))}
      {narrowed.length > 0 && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => change(Object.fromEntries([...NAMES, "sort"].map((name) => [name, undefined])))}
        >
          {text.search.clear}
        </Button>
      )}
    </Group>
  );
}
