import { Tabs } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { sessionPages } from "../../api/pages.ts";
import type { Get } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { nameOf, When } from "../../parts/memory-bits.tsx";
import { Answer, Nothing, Page } from "../../parts/page.tsx";
import { TabList } from "../../parts/tab-list.tsx";
import { Conversations } from "./conversations.tsx";
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

/** Lists what the member's own sessions left for the next one. */
function Handoffs() {
  const query = useInfiniteQuery(sessionPages());
  return (
    <Answer of={query}>
      {({ pages }) => {
        const handoffs = pages[0]?.handoffs ?? [];
        if (handoffs.length === 0) return <Nothing>{text.sessions.noHandoffs}</Nothing>;
        return (
          <>
            <p className="lead">{text.sessions.handoffsLead}</p>
            {handoffs.map((handoff) => (
              <Handoff key={`${handoff.session_id} ${handoff.at}`} handoff={handoff} />
            ))}
          </>
        );
      }}
    </Answer>
  );
}

const Handoff = ({ handoff }: { readonly handoff: Get<"/api/sessions">["handoffs"][number] }) => (
  <details className="card handoff" open={!handoff.is_taken}>
    <summary>
      <b>{nameOf(text.sessions.kinds, handoff.kind)}</b> <When at={handoff.at * 1000} />{" "}
      {handoff.git_branch !== undefined && <span className="chip">{handoff.git_branch}</span>}{" "}
      <span className="chip">{handoff.is_taken ? text.sessions.taken : text.sessions.waiting}</span>{" "}
      <Link to="/sessions/$id" params={{ id: handoff.session_id }}>
        {text.memory.session}
      </Link>
    </summary>
    <div className="stored" dir="auto">
      {handoff.text}
    </div>
  </details>
);
