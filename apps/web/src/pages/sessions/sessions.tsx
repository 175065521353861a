import { Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { text } from "../../i18n/index.ts";
import { Page } from "../../parts/page.tsx";
import { TabList } from "../../parts/tab-list.tsx";
import { Conversations } from "./conversations.tsx";
import { Handoffs } from "./handoffs.tsx";
import { SessionList } from "./session-list.tsx";
import { Triggers } from "./triggers.tsx";

const TABS = { sessions: SessionList, handoffs: Handoffs, conversations: Conversations, triggers: Triggers } as const;

/** Sessions of agents, and what they left for the next one. */
export function Sessions() {
  const { tab } = useSearch({ from: "/sessions" });
  const navigate = useNavigate({ from: "/sessions" });
  const shown = tab !== undefined && tab in TABS ? tab : "sessions";
  return (
    <Page title={text.sessions.title} lead={text.sessions.lead}>
      <Tabs
        value={shown}
        onChange={(name) => void navigate({ search: name === null ? {} : { tab: name }, replace: true })}
        keepMounted={false}
      >
        <TabList mb="md">
          {Object.keys(TABS).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {text.sessions.tabs[name]}
            </Tabs.Tab>
          ))}
        </TabList>
        {Object.entries(TABS).map(([name, Shown]) => (
          <Tabs.Panel key={name} value={name}>
            <Shown />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
