import { useElementScrollRestoration, useNavigate, useRouter } from "@tanstack/react-router";
import { measureElement, useVirtualizer } from "@tanstack/react-virtual";
import { type MouseEvent, memo, type ReactNode, useCallback, useEffect, useImperativeHandle, useRef } from "react";
import type { Hit } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { ownTitle } from "../../parts/words/own-title.ts";
import { ListRow, type RowProps, TableCells } from "./rows.tsx";

/** Reach of a list for the keys of its page. */
export interface HitListHandle {
  /** Brings a row into sight. */
  reveal(index: number): void;
  focus(): void;
}

interface HitListProps {
  readonly handle: React.Ref<HitListHandle>;
  readonly hits: readonly Hit[];
  readonly isTable: boolean;
  /** Height of a row before it is measured. */
  readonly rowPx: number;
  readonly active: number;
  readonly query: string | undefined;
  readonly chosen: ReadonlyMap<number, Hit>;
  /** Stands before the rows, where there are none. */
  readonly children: ReactNode;
  choose(hit: Hit): void;
  /** Requests the next page; undefined while it is loading, and at the end of the list. */
  more?: (() => void) | undefined;
}

const HITS = "hits";
/** Distance to the end of the loaded rows, in rows, at which the next page is requested. */
const AHEAD = 30;
const OVERSCAN = 8;
/** A wheel turns in steps, so a slow scroll must not count as ended between two of them. */
const AT_REST_MS = 500;
/** Number of characters that always fill more than one line of a row. */
const ONE_LINE = 72;

/** Form of a row: rows of one form are nearly always of one height. */
const formOf = (hit: Hit): string => `${ownTitle(hit) !== undefined} ${hit.content.length > ONE_LINE}`;

/**
 * Rows of the search, of which those in sight are drawn. A step of the wheel draws this alone: neither the page around it,
 * nor the rows that stay.
 */
export const HitList = memo(function HitList(props: HitListProps) {
  const { hits, isTable, rowPx, active, query, chosen, choose, more } = props;
  const scroller = useRef<HTMLElement>(null);
  const open = useOpen();
  // Heights of recently drawn rows by form: if a row's height was guessed right, measuring it moves no other row.
  const heights = useRef(new Map<string, number>());
  // Scroll position to restore when the user comes back to this list.
  const left = useElementScrollRestoration({ id: HITS, getKey: ({ href }) => href });
  const rows = useVirtualizer({
    count: hits.length,
    initialOffset: left?.scrollY ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const hit = hits[index];
      return (!isTable && hit && heights.current.get(formOf(hit))) || rowPx;
    },
    measureElement(element, entry, instance) {
      const height = measureElement(element, entry, instance);
      const hit = hits[instance.indexFromElement(element)];
      if (hit) heights.current.set(formOf(hit), height);
      return height;
    },
    overscan: OVERSCAN,
    isScrollingResetDelay: AT_REST_MS,
    getItemKey: useCallback((index: number) => hits[index]?.id ?? index, [hits]),
  });
  useImperativeHandle(props.handle, () => ({
    reveal: (index) => rows.scrollToIndex(index, { align: "auto" }),
    focus: () => scroller.current?.focus(),
  }));
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= hits.length - AHEAD) more?.();
  }, [more, last, hits.length]);
  return (
    <section
      ref={scroller}
      className={chosen.size > 0 ? "hits choosing" : "hits"}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
      tabIndex={0}
      aria-label={text.search.title}
      data-scroll-restoration-id={HITS}
    >
      {props.children}
      {/* Rows of the table, all of one height, follow each other below the place of those before them. */}
      <div className="run" style={{ height: rows.getTotalSize(), paddingTop: isTable ? shown[0]?.start : undefined }}>
        {shown.map(({ index, key, start }) => {
          const hit = hits[index];
          return (
            hit && (
              <Placed
                key={key}
                index={index}
                start={isTable ? undefined : start}
                // Rows of the table are of one height, which is not measured.
                measure={isTable ? undefined : rows.measureElement}
                isTable={isTable}
                hit={hit}
                isActive={index === active}
                query={query}
                isChosen={chosen.has(hit.id)}
                choose={choose}
                open={open}
              />
            )
          );
        })}
      </div>
    </section>
  );
});

interface PlacedProps extends RowProps {
  readonly index: number;
  /** Pixels above it; undefined in the table. */
  readonly start: number | undefined;
  readonly isTable: boolean;
  readonly measure: ((element: HTMLElement | null) => void) | undefined;
}

/** Row of the list or of the table; one that stays is not drawn anew. */
const Placed = memo(function Placed({ index, start, isTable, measure, ...row }: PlacedProps) {
  return isTable ? (
    <div data-index={index} className="row-of-table" data-chosen={row.isChosen || undefined}>
      <TableCells {...row} />
    </div>
  ) : (
    <div data-index={index} ref={measure} className="placed" style={{ top: start }}>
      <ListRow {...row} />
    </div>
  );
});

/** Opens a row by a click, as the router's own link does. A list has too many rows for a link of the router in each. */
export function useOpen(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const navigate = useNavigate();
  const router = useRouter();
  // The page of a memory is there when the first row is opened.
  useEffect(() => void router.loadRouteChunk(router.routesById["/memories/$id"]), [router]);
  return useCallback(
    (event) => {
      const { button, metaKey, ctrlKey, shiftKey, altKey, currentTarget } = event;
      // The browser opens those in another tab.
      if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
      event.preventDefault();
      void navigate({ to: "/memories/$id", params: { id: currentTarget.dataset.hit ?? "" } });
    },
    [navigate],
  );
}
