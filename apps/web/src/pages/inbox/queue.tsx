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
  run(item: Item): void;
}

interface QueueListProps<Item> {
  readonly view: ViewName;
  readonly actions: readonly Action<Item>[];
  readonly canWrite: boolean;
  /** Memory that Enter opens. */
  opens(item: Item): number;
  keyOf(item: Item): string;
  undo(): void;
  readonly children: (item: Item) => ReactNode;
}

/** Queue with one item at hand, which the keys act upon. */
export function QueueList<Item>({ view, children, ...rest }: QueueListProps<Item>) {
  const asked = useQuery({
    queryKey: ["memories", "inbox", view],
    queryFn: () => readView<Item>(view, { project: "*", limit: MOST }),
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

type ItemsProps<Item> = Omit<QueueListProps<Item>, "view"> & { readonly items: readonly Item[] };

function Items<Item>({ items, actions, canWrite, opens, keyOf, undo, children }: ItemsProps<Item>) {
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
    ["u", undo],
    ...(canWrite ? actions : []).map(({ key, run }): [string, () => void] => [key, () => active && run(active)]),
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
          onFocus={() => setPlace(index)}
        >
          {children(item)}
          {canWrite && (
            <Group gap="xs" mt="sm">
              {actions.map(({ key, label, run }) => (
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
