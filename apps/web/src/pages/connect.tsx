import { Button, CopyButton, Group, NativeSelect, Stack, TextInput, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { chest, PAGE_URL, tool } from "../api/client.ts";
import { hitsOf, queries } from "../api/queries.ts";
import { text } from "../i18n/index.ts";
import { nameOfClient, When } from "../parts/memory-bits.tsx";
import { Form, Page } from "../parts/page.tsx";
import { useSending } from "../parts/use-change.ts";
import { withCode } from "../parts/words/with-code.tsx";
import { reasonLine } from "./search/why.tsx";

/** Agents that `chest-index setup` knows, by the names that it takes. */
const CLIENTS = [
  ["claude-code", "Claude Code"],
  ["cursor", "Cursor"],
  ["codex", "Codex"],
  ["copilot", "GitHub Copilot CLI"],
  ["vscode", "VS Code"],
  ["claude-desktop", "Claude Desktop"],
  ["gemini", "Gemini CLI"],
  ["windsurf", "Windsurf (Devin Desktop)"],
  ["opencode", "OpenCode"],
  ["zed", "Zed"],
  ["cline", "Cline"],
  ["antigravity", "Antigravity"],
] as const;

const URL_HERE = PAGE_URL.href.replace(/\/$/, "");
const PAGE_CLIENT = "chest-page";

/** Ways to connect an agent, and a sample to see what it will find. */
export function Connect() {
  const [client, setClient] = useState<string>(CLIENTS[0][0]);
  const { data: me } = useQuery(queries.whoami());
  // The user of this machine has the token of `npm start` in this file.
  const token = me?.member === "local" ? " --token-file ~/.chest-memory/token" : "";
  const args = `setup --client ${client} --docker ${URL_HERE}${token}`;
  return (
    <Page title={text.connect.title} lead={text.connect.lead}>
      <div className="two">
        <Stack gap="sm">
          <FirstCall />
          <NativeSelect
            label={text.connect.client}
            value={client}
            onChange={({ currentTarget }) => setClient(currentTarget.value)}
            data={CLIENTS.map(([value, label]) => ({ value, label }))}
          />
          <p>{text.connect.step}</p>
          <Command>{`npx -y -p chest-memory chest-index ${args}`}</Command>
          <p className="lead">{text.connect.inClone}</p>
          <Command>{`npm run setup -- ${args.replace(/^setup /, "")}`}</Command>
          {token === "" && (
            <p className="lead">
              {withCode(text.connect.noteToken)}{" "}
              {me?.scopes.includes("write") && (
                <Link to="/people" search={{ tab: "tokens" }}>
                  {text.connect.makeToken}
                </Link>
              )}
            </p>
          )}
        </Stack>
        <Sample />
      </div>
    </Page>
  );
}

const OFTEN = { refetchInterval: 3_000 } as const;
/** Programs of a person: the page itself, and commands at a terminal. */
const NO_AGENT = /^chest-(page|index)\//;

/** Shows the first call of an agent once it happens: for operators any call, for others a call with a token of their own. */
function FirstCall() {
  const { data: me } = useQuery(queries.whoami());
  const operates = me?.scopes.includes("operate") ?? false;
  const writes = me?.scopes.includes("write") ?? false;
  const { data: known } = useQuery({ ...queries.clients(), ...OFTEN, enabled: operates });
  const { data: own } = useQuery({ ...queries.tokens(false), ...OFTEN, enabled: writes && !operates });
  if (!operates && !writes) return null;
  const agent = known?.clients.find(({ client }) => !NO_AGENT.test(client));
  const used = own?.tokens.flatMap(({ last_used_at: at }) => at ?? []).sort();
  const at = agent?.last_at ?? used?.at(-1);
  return (
    <div>
      <output className="live">
        <span className={at === undefined ? "dot" : "dot dot-learning"} aria-hidden="true" />
        {at === undefined ? text.connect.waiting : text.connect.seen}
        {at && (
          <span className="lead">
            {nameOfClient(agent?.client ?? "unstated/")} <When at={at} />
          </span>
        )}
      </output>
      {at === undefined && <p className="lead">{text.connect.first}</p>}
    </div>
  );
}

const Command = ({ children }: { readonly children: string }) => (
  <Group gap="xs" wrap="nowrap" align="start">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
    <pre className="command" tabIndex={0}>
      {children}
    </pre>
    <CopyButton value={children}>
      {({ copied, copy }) => (
        <Button variant="default" size="compact-sm" onClick={copy} mt={5} flex="none">
          {copied ? text.common.copied : text.common.copy}
        </Button>
      )}
    </CopyButton>
  </Group>
);

function Sample() {
  const queryClient = useQueryClient();
  const store = useSending(() => {
    const fact = { entity_name: text.connect.sampleEntity, entity_kind: "concept", layer: "learning" } as const;
    const body = { ...fact, content: text.connect.sampleText, visibility: "private" as const, tags: [PAGE_CLIENT] };
    return tool(chest.POST("/api/tools/chest_remember", { body: body }));
  });
  const [question, setQuestion] = useState(text.connect.question);
  const ask = useSending(() => {
    const body = { query: question, mark_accessed: false, explain: true, limit: 3 };
    return tool(chest.POST("/api/tools/chest_recall", { body: body }));
  });
  const hits = hitsOf(ask.data?.memories ?? []);
  return (
    <Stack gap="sm" align="start">
      <Title order={2}>{text.connect.sample}</Title>
      <p className="lead">{text.connect.sampleLead}</p>
      <div className="card stored sample">{text.connect.sampleText}</div>
      <Button variant="default" loading={store.isPending} disabled={store.isSuccess} onClick={() => store.mutate()}>
        {store.isSuccess ? text.connect.stored : text.connect.store}
      </Button>
      <Form onSubmit={() => ask.mutate()}>
        <Group gap="xs">
          <TextInput
            aria-label={text.insight.question}
            value={question}
            maxLength={2000}
            onChange={({ currentTarget }) => setQuestion(currentTarget.value)}
          />
          <Button type="submit" loading={ask.isPending} disabled={question.trim() === ""}>
            {text.connect.ask}
          </Button>
        </Group>
      </Form>
      {ask.isSuccess && hits.length === 0 && <p className="lead">{text.search.nothing}</p>}
      {hits.map((hit) => (
        <Link
          key={hit.id}
          to="/memories/$id"
          params={{ id: String(hit.id) }}
          className="known"
          onClick={() => void queryClient.invalidateQueries({ queryKey: ["memories"] })}
        >
          <span className="clamp2" dir="auto">
            {hit.content}
          </span>
          <span className="meta">{reasonLine(hit.match_reasons)}</span>
        </Link>
      ))}
    </Stack>
  );
}
