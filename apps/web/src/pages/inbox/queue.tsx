import { Button, Group, Kbd } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { readView, type ViewName } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Answer, Nothing } from "../../parts/page.tsx";

const MOST = 50;

/** Settles an item, by a button and by its key. */
export interface Action<Item> {
  readonly key: string;
  readonly label: string;
  /** Whether it can be done to this one; left out, to any. */
  isFor?(item: Item): boolean;
  run(item: Item): void;
}

interface QueueListProps<Item> {
  readonly view: ViewName;
  /** Reads what waits, where that is not the view as it is. */
  read?(): Promise<{ readonly items: readonly Item[]; readonly total: number }>;
  readonly actions: readonly Action<Item>[];
  readonly canWrite: boolean;
  /** Memory that Enter opens. */
  opens(item: Item): number;
  keyOf(item: Item): string;
  undo(): void;
  readonly children: (item: Item) => ReactNode;
}

/** Queue with one item at hand, which the keys act upon. */
export function QueueList<Item>({ view, read, undo, children, ...rest }: QueueListProps<Item>) {
  // Here, since the last item of a queue takes the list with it.
  useHotkeys([["u", undo]]);
  const asked = useQuery({
    queryKey: ["memories", "inbox", view],
    queryFn: read ?? (() => readView<Item>(view, { project: "*", limit: MOST })),
  });
  return (
    <Answer of={asked}>
      {({ items, total }) =>
        items.length === 0 ? (
          <Nothing>{text.inbox.empty}</Nothing>
        ) : (
          <>
            <Items {...rest} items={items}>
              {children}
            </Items>
            {total > items.length && <p className="lead">{text.inbox.further(total - items.length)}</p>}
          </>
        )
      }
    </Answer>
  );
}

type ItemsProps<Item> = Omit<QueueListProps<Item>, "view" | "read" | "undo"> & { readonly items: readonly Item[] };

function Items<Item>({ items, actions, canWrite, opens, keyOf, children }: ItemsProps<Item>) {
  const [place, setPlace] = useState(0);
  const navigate = useNavigate();
  const at = Math.min(place, items.length - 1);
  const active = items[at];
  const move = (by: number) => setPlace(Math.max(0, Math.min(items.length - 1, at + by)));
  useEffect(() => {
    document.querySelector(".group[data-active]")?.scrollIntoView({ block: "nearest" });
  });
  useHotkeys([
    ["j", () => move(1)],
    ["k", () => move(-1)],
    ["o", () => void (active && navigate({ to: "/memories/$id", params: { id: String(opens(active)) } }))],
    ...(canWrite ? actions : []).map(({ key, run, isFor }): [string, () => void] => [
      key,
      () => active && (isFor?.(active) ?? true) && run(active),
    ]),
  ]);
  return (
    <>
      <p className="lead keys" aria-hidden="true">
        <Kbd size="xs">j</Kbd> <Kbd size="xs">k</Kbd> {text.inbox.move} <Kbd size="xs">o</Kbd> {text.inbox.open}{" "}
        {canWrite && (
          <>
            <Kbd size="xs">u</Kbd> {text.common.undo}
          </>
        )}{" "}
        · {number(at + 1)}/{number(items.length)}
      </p>
      {items.map((item, index) => (
        <section
          key={keyOf(item)}
          className="card group"
          data-active={index === at || undefined}
          aria-current={index === at || undefined}
        >
          {children(item)}
          {canWrite && (
            <Group gap="xs" mt="sm">
              {actions
                .filter(({ isFor }) => isFor?.(item) ?? true)
                .map(({ key, label, run }) => (
                  <Button
                    key={key}
                    size="compact-sm"
                    variant="default"
                    onClick={() => run(item)}
                    rightSection={<Kbd size="xs">{key}</Kbd>}
                  >
                    {label}
                  </Button>
                ))}
            </Group>
          )}
        </section>
      ))}
    </>
  );
}
