import type { Caller } from "../access/caller.ts";
import type { Reach } from "../access/space.ts";
import type { Category } from "../memory/metadata.ts";
import type { InboxKind, InboxPart } from "../ports/inbox/notes.ts";
import type { Filter } from "../ports/search.ts";
import type { ToolPorts } from "../tool.ts";

/** Request to a view, which ignores fields that it does not use. */
export interface ViewRequest {
  readonly reach: Reach;
  readonly id?: number | undefined;
  readonly tag?: string | undefined;
  readonly category?: Category | undefined;
  readonly session?: string | undefined;
  readonly query?: string | undefined;
  /** Number of rows before and after the anchor. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly thresholdHours?: number | undefined;
  /** Only items of this part of the inbox; undefined: all. */
  readonly part?: InboxPart | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface ViewPorts extends ToolPorts {
  readonly caller: Pick<Caller, "project">;
}

/** Page of a view: `total` counts all that the caller may see of it. */
export interface ViewPage<Item> {
  readonly total: number;
  readonly items: readonly Item[];
  /** Further facts of the answer, beside the items. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** A list or total over stored memories. Viewing never counts as a use. */
export interface View<Item extends object = object> {
  /** Required arguments. */
  readonly needs: readonly (keyof ViewRequest)[];
  /** Default page size. */
  readonly limit: number;
  read(request: ViewRequest, ports: ViewPorts): Promise<ViewPage<Item>>;
  /** Renders an item as text. Stored text in it is framed. */
  line(item: Item): string;
}

/** A view whose `line` takes the items of any view. */
export interface AnyView<Item extends object = object> extends Omit<View<Item>, "line"> {
  line(item: object): string;
}

export const defineView = <Item extends object>(view: View<Item>): AnyView<Item> => ({
  ...view,
  line: (item) => view.line(item as Item),
});

/** Filter for live memories in reach, with further conditions. */
export const liveIn = (reach: Reach, narrower: Partial<Filter> = {}): Filter => ({
  withArchived: false,
  withSuperseded: false,
  ...narrower,
  reach,
});

/** Condition of a filter for a part of the inbox; none for all. */
export const inPart = (kind: InboxKind, part: InboxPart | undefined): Pick<Filter, "inbox"> =>
  part === undefined ? {} : { inbox: { kind, part } };
