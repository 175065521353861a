import { Loader, TextInput } from "@mantine/core";
import { useDebouncedCallback, useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Navigate, useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Hit, queries } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { SearchIcon } from "../../parts/icons.tsx";
import { nameOf } from "../../parts/memory-bits.tsx";
import { Nothing, NothingYet, Problem, useTitle } from "../../parts/page.tsx";
import { useVerdict } from "../../parts/verdict.tsx";
import { memberName } from "../../parts/words/member-name.ts";
import type { SearchFilters } from "../../router.tsx";
import { Arrangement, Filters } from "./filters.tsx";
import { HitList, type HitListHandle, useOpen } from "./hit-list.tsx";
import { ListRow, TableHead } from "./rows.tsx";
import { asksInWords, type Page, useHits } from "./use-hits.ts";

const Bulk = lazy(async () => ({ default: (await import("./bulk.tsx")).Bulk }));

const TYPING_MS = 120;
const ONE_QUESTION_MS = 1500;

/** Search: the same recall as agents have, with the reason for every hit. */
export function Search() {
  const filters = useSearch({ from: "/search" });
  const navigate = useNavigate({ from: "/search" });
  const asked = useHits(filters);
  useTitle(filters.q === undefined ? text.search.title : `${filters.q} · ${text.search.title}`);
  const changedAt = useRef(0);
  const change = (part: Partial<Record<keyof SearchFilters, string | undefined>>) => {
    const next = Object.entries({ ...filters, ...part }).filter(([, value]) => value !== undefined && value !== "");
    // Typing on in the same words updates one entry of the browser's history; a new question adds an entry.
    const isTypedOn = "q" in part && performance.now() - changedAt.current < ONE_QUESTION_MS;
    changedAt.current = performance.now();
    return void navigate({ search: Object.fromEntries(next) as SearchFilters, replace: isTypedOn || "view" in part });
  };
  const keys = useRef<(key: string) => boolean>(undefined);
  const { pathname } = useLocation();
  const isEmpty = asked.data?.pages[0]?.total === 0 && !asked.isPlaceholderData && Object.keys(filters).length === 0;
  // An empty store shows how to begin, on a page that stays open when the first memory arrives. This component is still
  // rendered while another page loads, and must not navigate then.
  if (isEmpty && pathname === "/search") return <Navigate to="/connect" replace />;
  return (
    <div className="page-full">
      <h1 className="sr-only">{text.search.title}</h1>
      <Words words={filters.q ?? ""} change={(q) => change({ q })} onKey={(key) => keys.current?.(key) ?? false} />
      <Filters filters={filters} change={change} />
      {filters.project !== undefined && <ClosedProject project={filters.project} />}
      <Hits asked={asked} filters={filters} change={change} keys={keys} />
    </div>
  );
}

/** Says that the project which is looked at is closed, and to whom it is open. */
function ClosedProject({ project }: { readonly project: string }) {
  const { data } = useQuery(queries.projects());
  const found = data?.projects.find(({ key, aliases = [] }) => key === project || aliases.includes(project));
  if (found?.access !== "members") return null;
  return (
    <p className="lead" role="note">
      {text.project.closedView(found.members?.map(memberName).join(", ") ?? "")}
    </p>
  );
}

interface WordsProps {
  readonly words: string;
  change(words: string): void;
  /** Key pressed in the box; true where the list below has taken it. */
  onKey(key: string): boolean;
}

function Words({ words, change, onKey }: WordsProps) {
  const [typed, setTyped] = useState(words);
  const settle = useDebouncedCallback(change, TYPING_MS);
  // Words may come from elsewhere: the palette, the history of the browser.
  const known = useRef(words);
  useEffect(() => {
    if (words !== known.current) setTyped(words);
    known.current = words;
  }, [words]);
  return (
    <TextInput
      id="search-words"
      type="search"
      size="md"
      autoFocus
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        known.current = value.trim();
        settle(value.trim());
      }}
      onKeyDown={(event) => {
        // What is typed right before Enter or an arrow belongs to the question.
        if (event.nativeEvent.isComposing) return;
        if (onKey(event.key)) event.preventDefault();
      }}
      leftSection={<SearchIcon />}
      placeholder={text.search.placeholder}
      aria-label={text.search.placeholder}
      maxLength={2000}
    />
  );
}

/** The times between which memories were created, by the clocks of a zone. */
const Between = ({ since = "", until = "", time_zone: zone }: NonNullable<Page["between"]>) => (
  <span>
    {since} – {until} ({zone})
  </span>
);

interface HitsProps {
  readonly asked: ReturnType<typeof useHits>;
  readonly filters: SearchFilters;
  /** Takes keys that are pressed in the search box. */
  readonly keys: { current: ((key: string) => boolean) | undefined };
  change(part: Partial<Record<keyof SearchFilters, string | undefined>>): void;
}

function Hits({ asked, filters, change, keys }: HitsProps) {
  const { data, error, isPending, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = asked;
  // A list that was scrolled far has many rows, so they are memoised: each scroll step renders the component again.
  const hits = useMemo(() => data?.pages.flatMap((page) => page.hits) ?? [], [data]);
  const [active, setActive] = useState(-1);
  const list = useRef<HitListHandle>(null);
  const navigate = useNavigate();
  const openByClick = useOpen();
  const isTable = filters.view === "table";
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  useEffect(() => setActive(-1), [filters.q, filters.entity, filters.layer]);
  const move = (by: number) => {
    const next = Math.max(0, Math.min(hits.length - 1, active + by));
    setActive(next);
    list.current?.reveal(next);
  };
  const open = (at = active) => {
    const hit = hits[at];
    if (hit) void navigate({ to: "/memories/$id", params: { id: String(hit.id) } });
  };
  const [chosen, setChosen] = useState<ReadonlyMap<number, Hit>>(new Map());
  const choose = useCallback((hit: Hit) => {
    setChosen((before) => {
      const next = new Map(before);
      if (!next.delete(hit.id)) next.set(hit.id, hit);
      return next;
    });
  }, []);
  const { judge } = useVerdict();
  const toList = () => list.current?.focus();
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => {
    const hit = hits[Math.max(active, 0)];
    if (!isWaiting || isPlaceholderData) return;
    setWaiting(false);
    if (hit) void navigate({ to: "/memories/$id", params: { id: String(hit.id) } });
  }, [isWaiting, isPlaceholderData, hits, active, navigate]);
  keys.current = (key) => {
    if (key !== "Enter") setWaiting(false);
    if (key === "ArrowDown" || key === "ArrowUp") move(key === "ArrowDown" ? 1 : -1);
    // The shown results may still answer the previous words: the first result opens once the new answer has arrived.
    else if (key === "Enter" && isPlaceholderData) setWaiting(true);
    else if (key === "Enter") open(Math.max(active, 0));
    else if (key === "Escape") toList();
    else return false;
    return true;
  };
  const chooseEvery = async () => {
    const next = () => fetchNextPage({ cancelRefetch: false, throwOnError: true });
    let all = await next();
    while (all.hasNextPage) all = await next();
    setChosen(new Map(all.data?.pages.flatMap((page) => page.hits).map((hit) => [hit.id, hit])));
  };
  const chooseAll = () => setChosen(new Map(hits.map((hit) => [hit.id, hit])));
  useHotkeys([
    ["j", () => move(1)],
    ["k", () => move(-1)],
    ["ArrowDown", () => move(1)],
    ["ArrowUp", () => move(-1)],
    ["Enter", () => open(), { preventDefault: false }],
    ["x", () => hits[active] && choose(hits[active])],
    ["y", () => hits[active] && judge(hits[active].id, "useful")],
    ["n", () => hits[active] && judge(hits[active].id, "wrong")],
    ["shift+a", chooseAll],
    ["Escape", () => setChosen(new Map())],
  ]);

  const first = data?.pages[0];
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />;
  const none = first && hits.length === 0 && !isPlaceholderData && (
    <>
      <NoHits
        {...(first.isPartial && { said: text.search.partial })}
        {...(first.weak.length > 0 && { said: text.search.nearest })}
      />
      {first.weak.map((hit) => (
        <ListRow
          key={hit.id}
          hit={hit}
          isActive={false}
          query={filters.q}
          isChosen={chosen.has(hit.id)}
          choose={choose}
          open={openByClick}
        />
      ))}
    </>
  );
  return (
    <>
      <div className="meta" role="status" aria-live="polite">
        {first && !(isPlaceholderData && hits.length === 0) ? (
          <>
            <span>{text.search.results(first.total, first.isLowerBound)}</span>
            {first.search !== undefined && <span>{nameOf(text.search.legs, first.search)}</span>}
            <span>{text.search.took(Math.round(first.ms))}</span>
            {first.between && <Between {...first.between} />}
            {first.isRelaxed && <span>{text.search.relaxed}</span>}
            {first.isPartial && <span className="chip chip-warn">{text.search.partial}</span>}
          </>
        ) : null}
        {(isPending || isPlaceholderData) && <Loader size={12} role="img" aria-label={text.common.loading} />}
        <span className="arrangement" title={text.search.keys}>
          <Arrangement filters={filters} change={change} />
        </span>
      </div>
      {isTable && hits.length > 0 && <TableHead isAnswer={hits[0]?.composite !== undefined} />}
      <HitList
        // Heights of rows that were measured are those of one view.
        key={isTable ? "table" : "list"}
        handle={list}
        hits={hits}
        isTable={isTable}
        rowPx={isTable ? 35 : asksInWords(filters) ? 92 : 66}
        active={active}
        query={filters.q}
        chosen={chosen}
        choose={choose}
        more={hasNextPage && !isFetchingNextPage ? more : undefined}
      >
        {none}
      </HitList>
      {chosen.size > 0 && (
        <Suspense>
          <Bulk
            chosen={[...chosen.values()]}
            clear={() => setChosen(new Map())}
            chooseAll={hits.some(({ id }) => !chosen.has(id)) ? chooseAll : undefined}
            chooseEvery={hasNextPage ? chooseEvery : undefined}
          />
        </Suspense>
      )}
    </>
  );
}

/** Says why nothing is listed: a store without any memory matches nothing, whatever was asked. */
function NoHits({ said }: { readonly said?: string }) {
  const { data: stats } = useQuery(queries.stats());
  if (stats?.memory_count === 0) return <NothingYet>{text.search.empty}</NothingYet>;
  return <Nothing>{said ?? text.search.nothing}</Nothing>;
}
