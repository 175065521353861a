import { Checkbox, UnstyledButton } from "@mantine/core";
import {
  createSortedRowModel,
  type RowData,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { type ReactNode, useMemo } from "react";
import { compareNames, text } from "../i18n/index.ts";
import { When } from "./memory-bits.tsx";
import { type Head, Table, type WideOnly } from "./table.tsx";

/** Column of a table, with what its rows are sorted by. */
export interface Column<Row> {
  /** Undefined for a column of buttons. */
  readonly head?: string;
  readonly className?: "num" | "break";
  /** Rows without a value come last. A column that has none is not sorted. */
  by?(row: Row): string | number | undefined;
  /** Content of a cell; by default the value that its row is sorted by. */
  cell?(row: Row): ReactNode;
  /** Time of a row, by which it is sorted and which is shown; "never" where there is none. */
  timeOf?(row: Row): string | null | undefined;
}

/** Rows that are chosen, by their key. */
export interface Selection<Row> {
  readonly chosen: RowSelectionState;
  readonly all: string;
  set(next: (before: RowSelectionState) => RowSelectionState): void;
  nameOf(row: Row): string;
}

interface SortedTableProps<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly wideOnly?: WideOnly;
  readonly selection?: Selection<Row>;
  /** True if the rows are one page of many: they then keep the backend's order. */
  readonly isPart?: boolean;
  keyOf(row: Row): string | number;
}

const features = tableFeatures({ rowSelectionFeature, rowSortingFeature, sortedRowModel: createSortedRowModel() });
const ORDERS = { asc: "ascending", desc: "descending" } as const;

/** Table that is sorted by a click on the head of a column, and whose rows may be chosen. */
export function SortedTable<Row extends RowData>({
  rows,
  columns: written,
  wideOnly,
  selection,
  isPart,
  keyOf,
}: SortedTableProps<Row>) {
  const columns = written.map(whole);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    data,
    columns: columns.map(({ by }, at) => ({
      id: String(at),
      accessorFn: (row: Row) => by?.(row),
      enableSorting: by !== undefined && !isPart,
      sortUndefined: "last" as const,
      sortFn: (a: Sortable, b: Sortable, id: string) => compare(a.getValue(id), b.getValue(id)),
    })),
    getRowId: (row: Row) => String(keyOf(row)),
    ...(selection && {
      state: { rowSelection: selection.chosen },
      onRowSelectionChange: (next: RowSelectionState | ((before: RowSelectionState) => RowSelectionState)) =>
        selection.set(typeof next === "function" ? next : () => next),
    }),
  });
  const heads = columns.map(({ head, className }, at): Head => {
    if (head === undefined) return undefined;
    const column = table.getColumn(String(at));
    const order = column?.getIsSorted() || undefined;
    return {
      name: head,
      isNumber: className === "num",
      order: order && ORDERS[order],
      content: column?.getCanSort() ? (
        <UnstyledButton className="sort" data-order={order} onClick={column.getToggleSortingHandler()}>
          {head}
        </UnstyledButton>
      ) : undefined,
    };
  });
  const choice: Head = selection && {
    name: selection.all,
    content: (
      <Checkbox
        size="xs"
        aria-label={selection.all}
        checked={table.getIsAllRowsSelected()}
        indeterminate={table.getIsSomeRowsSelected()}
        onChange={table.getToggleAllRowsSelectedHandler()}
      />
    ),
  };
  return (
    <Table heads={selection ? [choice, ...heads] : heads} wideOnly={wideOnly}>
      {table.getRowModel().rows.map((row) => (
        <tr key={row.id}>
          {selection && (
            <td className="choice-cell">
              <Checkbox
                size="xs"
                aria-label={selection.nameOf(row.original)}
                checked={row.getIsSelected()}
                onChange={row.getToggleSelectedHandler()}
              />
            </td>
          )}
          {columns.map(({ className, cell }, at) => (
            <td key={columns[at]?.head ?? "actions"} className={className}>
              {cell?.(row.original)}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

interface Sortable {
  getValue(id: string): unknown;
}

const compare = (a: unknown, b: unknown): number =>
  typeof a === "number" && typeof b === "number" ? a - b : compareNames(String(a), String(b));

/** Completes a column by how its values are sorted and shown. */
function whole<Row>({ timeOf, ...column }: Column<Row>): Column<Row> {
  if (!timeOf) return { ...(column.by && { cell: column.by }), ...column };
  return {
    by(row) {
      const at = timeOf(row);
      return at ? Date.parse(at) : undefined;
    },
    cell(row) {
      const at = timeOf(row);
      return at ? <When at={at} /> : text.common.never;
    },
    ...column,
  };
}
