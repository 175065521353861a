import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { text } from "../i18n/index.ts";

interface HeadCell {
  readonly name: string;
  /** Right-aligned, like the numbers of the column. */
  readonly isNumber?: boolean | undefined;
  readonly order?: "ascending" | "descending" | undefined;
  /** Replaces the name. */
  readonly content?: ReactNode;
}

/** Header of a column; undefined for a column of buttons. */
export type Head = string | HeadCell | undefined;

/** Columns to hide on a phone, counted from 1. */
export type WideOnly = readonly (1 | 2 | 3 | 4 | 5 | 6 | 7)[];

interface TableProps {
  readonly heads: readonly Head[];
  readonly wideOnly?: WideOnly | undefined;
  readonly children: ReactNode;
}

/** Table that scrolls sideways in a narrow window, also by the keyboard. */
export const Table = ({ heads, wideOnly = [], children }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard.
  <section className="scroll-x" tabIndex={0} aria-label={namesOf(heads).join(", ")}>
    <table className={["table", ...wideOnly.map((column) => `wide-${column}`)].join(" ")}>
      <thead>
        <tr>
          {heads.map((head, at) => {
            if (head === undefined) return <td key={`actions ${at}`} />;
            const { name, isNumber, order, content }: HeadCell = typeof head === "string" ? { name: head } : head;
            return (
              <th key={name} scope="col" className={isNumber ? "num" : undefined} aria-sort={order}>
                {content ?? name}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
);

const namesOf = (heads: readonly Head[]): string[] =>
  heads.flatMap((head) => (head === undefined ? [] : typeof head === "string" ? head : head.name));

interface Paged {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

/** Button that asks for the next page, while there is one. */
export function ShowMore({ of: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { readonly of: Paged }) {
  if (!hasNextPage) return null;
  return (
    <Group justify="center" mt="md">
      <Button variant="default" size="compact-sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {text.common.showMore}
      </Button>
    </Group>
  );
}
