import { Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { Page } from "../../parts/page.tsx";
import { TabList } from "../../parts/tab-list.tsx";
import { Members } from "./members.tsx";
import { Projects } from "./projects.tsx";
import { SignIns } from "./sign-ins.tsx";
import { Tokens } from "./tokens.tsx";
import { Webhooks } from "./webhooks.tsx";

/** Members, projects, tokens, webhooks and the browsers that are signed in. */
export function People() {
  const { tab } = useSearch({ from: "/people" });
  const navigate = useNavigate({ from: "/people" });
  const { data: me } = useQuery(queries.whoami());
  if (!me) return null;
  const has = (scope: string): boolean => me.scopes.some((each) => each === scope);
  const tabs = [
    ...(has("admin") ? [["members", text.people.tabs.members, <Members key="members" me={me} />] as const] : []),
    ...(has("read")
      ? [["projects", text.people.tabs.projects, <Projects key="projects" isAdmin={has("admin")} />] as const]
      : []),
    ...(has("write") ? [["tokens", text.people.tabs.tokens, <Tokens key="tokens" me={me} />] as const] : []),
    ...(has("operate") ? [["webhooks", text.people.tabs.webhooks, <Webhooks key="webhooks" />] as const] : []),
    ["sign-ins", text.people.tabs.signIns, <SignIns key="sign-ins" />] as const,
  ];
  const shown = tabs.find(([value]) => value === tab)?.[0] ?? tabs[0]?.[0] ?? null;
  return (
    <Page title={text.people.title}>
      <Tabs
        value={shown}
        onChange={(value) => void navigate({ search: value === null ? {} : { tab: value }, replace: true })}
        keepMounted={false}
      >
        <TabList>
          {tabs.map(([value, name]) => (
            <Tabs.Tab key={value} value={value}>
              {name}
            </Tabs.Tab>
          ))}
        </TabList>
        {tabs.map(([value, , panel]) => (
          <Tabs.Panel key={value} value={value} pt="md">
            {panel}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
