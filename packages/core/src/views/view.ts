import type { Caller } from "../access/caller.ts";
import type { Reach } from "../access/space.ts";
import type { Category } from "../memory/metadata.ts";
import type { Filter } from "../ports/search.ts";
import type { ToolPorts } from "../tool.ts";

/** Question to a view. A view leaves alone what it has no use for. */
export interface ViewRequest {
  readonly reach: Reach;
  readonly id?: number | undefined;
  readonly tag?: string | undefined;
  readonly category?: Category | undefined;
  readonly session?: string | undefined;
  readonly query?: string | undefined;
  /** How many before and after one in order of time. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly thresholdHours?: number | undefined;
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

/** One way to look at what is stored. It never counts as a use of anything. */
export interface View<Item extends object = object> {
  /** Arguments that it does not do without. */
  readonly needs: readonly (keyof ViewRequest)[];
  /** Items of a page unless the caller says otherwise. */
  readonly limit: number;
  read(asked: ViewRequest, ports: ViewPorts): Promise<ViewPage<Item>>;
  /** An item to be read. Stored text in it is framed. */
  line(item: Item): string;
}

/** Items of any view, whose form is the view's own business. */
export interface AnyView extends Omit<View, "line"> {
  line(item: object): string;
}

export const defineView = <Item extends object>(view: View<Item>): AnyView => ({
  ...view,
  line: (item) => view.line(item as Item),
});

/** Filter for all that is live in reach, narrowed down. */
export const liveIn = (reach: Reach, narrower: Partial<Filter> = {}): Filter => ({
  withArchived: false,
  withSuperseded: false,
  ...narrower,
  reach,
});
