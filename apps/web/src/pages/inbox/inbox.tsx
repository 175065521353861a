import { Button, Group, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ComponentType, useRef } from "react";
import { type InboxPart, queries } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Page } from "../../parts/page.tsx";
import { TabList } from "../../parts/tab-list.tsx";
import { Contradictions } from "./contradictions.tsx";
import { Duplicates } from "./duplicates.tsx";
import { Flagged } from "./flagged.tsx";
import { Promotions } from "./promotions.tsx";
import { Stale } from "./stale.tsx";

export interface QueueProps {
  readonly canWrite: boolean;
  readonly isAdmin: boolean;
  readonly member: string;
  readonly part: InboxPart;
}

const QUEUES: Readonly<Record<string, ComponentType<QueueProps>>> = {
  contradictions: Contradictions,
  duplicates: Duplicates,
  stale: Stale,
  flagged: Flagged,
  promotions: Promotions,
};

const PARTS = ["open", "mine", "snoozed"] as const;

/** Queues of what agents could not settle, each with a key for every action. */
export function Inbox() {
  const { data: me } = useQuery(queries.whoami());
  const { tab, part = "open" } = useSearch({ from: "/inbox" });
  const { data: inbox } = useQuery(queries.inbox(part));
  const navigate = useNavigate({ from: "/inbox" });
  const counts = (inbox?.counts ?? {}) as Readonly<Record<string, number>>;
  const names = Object.keys(QUEUES);
  // Opens the first queue that has items, once the counts are loaded. The queue stays open when it becomes empty, so that
  // its last action can be undone.
  const first = useRef<string>(undefined);
  if (inbox) first.current ??= names.find((name) => (counts[name] ?? 0) > 0) ?? names[0];
  const shown = names.find((name) => name === tab) ?? first.current;
  const show = (chosen: (typeof PARTS)[number]) => {
    const narrower = chosen === "open" ? {} : { part: chosen };
    void navigate({ search: { ...(shown === undefined ? {} : { tab: shown }), ...narrower }, replace: true });
  };
  if (!me || (tab === undefined && !inbox)) return null;
  return (
    <Page
      title={text.inbox.title}
      lead={text.inbox.lead}
      actions={
        // Focuses no field, so that the keys of a queue work at once.
        <Group gap={4} role="group" aria-label={text.inbox.part}>
          {PARTS.map((value) => (
            <Button
              key={value}
              size="compact-sm"
              variant={value === part ? "light" : "subtle"}
              aria-pressed={value === part}
              onClick={() => show(value)}
            >
              {text.inbox.parts[value]}
            </Button>
          ))}
        </Group>
      }
    >
      <Tabs
        value={shown ?? null}
        onChange={(name) =>
          void navigate({
            search: ({ tab: _, ...rest }) => ({ ...rest, ...(name === null ? {} : { tab: name }) }),
            replace: true,
          })
        }
        keepMounted={false}
      >
        <TabList mb="sm">
          {names.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {text.inbox.tabs[name]} {inbox && <span className="lead">{number(counts[name] ?? 0)}</span>}
            </Tabs.Tab>
          ))}
        </TabList>
        {Object.entries(QUEUES).map(([name, Queue]) => (
          <Tabs.Panel key={name} value={name}>
            <Queue
              canWrite={me.scopes.includes("write")}
              isAdmin={me.scopes.includes("admin")}
              member={me.member}
              part={part}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
