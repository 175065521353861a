import { Button, Group, SegmentedControl, Title } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { answer, chest } from "../../api/client.ts";
import { type Get, queries } from "../../api/queries.ts";
import { moment, number, text } from "../../i18n/index.ts";
import { Layer, MemoryLink, nameOf, When } from "../../parts/memory-bits.tsx";
import { Answer, Page } from "../../parts/page.tsx";
import { shortName } from "../../parts/project-names.tsx";
import { useSending } from "../../parts/use-change.ts";
import { memberName } from "../../parts/words/member-name.ts";
import { nameIn } from "../../parts/words/own-title.ts";
import { endingTokens } from "../people/ending-tokens.ts";

/** A line for each token of the member that ends soon or has ended lately, and the way to renew it. */
function EndingTokens() {
  const { data: me } = useQuery(queries.whoami());
  const { data } = useQuery({ ...queries.tokens(false), staleTime: 60_000 });
  return endingTokens(data?.tokens ?? [], me?.member).map(({ id, label, expires_at }) => (
    <p key={id} role="status">
      {text.people.endingToken(label ?? String(id), Date.parse(expires_at) < Date.now())}{" "}
      <When at={expires_at} exact="day" />{" "}
      <Link to="/people" search={{ tab: "tokens" }}>
        {text.people.tabs.tokens}
      </Link>
    </p>
  ));
}

type HomeView = Get<"/api/home">;
type Row = HomeView["rules"][number];

const SPANS = ["look", "day", "week"] as const;

/** First view: what happened since the member looked, and what waits for it. */
export function Home() {
  const { since = "look" } = useSearch({ from: "/" });
  const navigate = useNavigate({ from: "/" });
  const { pathname } = useLocation();
  const query = useQuery(queries.home(since));
  const { data } = query;
  const isQuiet = data?.learned.total === 0;
  const { data: stats } = useQuery({ ...queries.stats(), enabled: isQuiet });
  const look = useSending(
    (until: number) => answer(chest.POST("/api/home", { body: { until } })),
    ["memories", "home"],
  );
  const seen = () => data && look.mutate(data.until);
  useHotkeys([["m", seen]]);
  // An empty store shows how to begin, unless the user has already opened another page that is still loading.
  if (pathname === "/" && isQuiet && stats?.memory_count === 0) return <Navigate to="/connect" replace />;
  return (
    <Page
      title={text.home.title}
      lead={data ? text.home.since(moment(data.since * 1000)) : " "}
      actions={
        <Group gap="xs" justify="end">
          <SegmentedControl
            size="xs"
            aria-label={text.insight.span}
            value={since}
            onChange={(value) => {
              const chosen = SPANS.find((span) => span === value) ?? "look";
              void navigate({ search: chosen === "look" ? {} : { since: chosen } });
            }}
            data={SPANS.map((value) => ({ value, label: text.home.spans[value] }))}
          />
          {since === "look" && (
            <Button size="compact-sm" variant="default" onClick={seen} loading={look.isPending}>
              {text.home.seen}
            </Button>
          )}
        </Group>
      }
    >
      <EndingTokens />
      <Answer of={query}>
        {(home) => (
          <div className="home">
            <div>
              <Learned home={home} />
              <Rules rows={home.rules} />
            </div>
            <div>
              <Waiting home={home} />
              <Helped home={home} />
              <Gaps home={home} />
              <OpenWork home={home} />
            </div>
          </div>
        )}
      </Answer>
    </Page>
  );
}

interface PartProps {
  readonly title: string;
  readonly children: ReactNode;
}

const Part = ({ title, children }: PartProps) => (
  <section className="home-part" aria-label={title}>
    <Title order={2}>{title}</Title>
    {children}
  </section>
);

interface HomeProps {
  readonly home: HomeView;
}

const SHOWN_OF_ONE = 4;

function Learned({ home: { learned } }: HomeProps) {
  const byProject = Map.groupBy(learned.memories, ({ project }) => project || undefined);
  return (
    <Part title={text.home.learned}>
      <p className="lead">
        {learned.total === 0 ? text.home.nothingLearned : text.home.learnedSum(learned.total, learned.projects.length)}
      </p>
      {learned.projects.map(({ project, memories }) => {
        const rows = byProject.get(project) ?? [];
        return (
          <div key={project ?? ""} className="home-group">
            <p className="meta">
              <b>{project === undefined ? text.home.noProject : shortName(project)}</b>
              <span>{number(memories)}</span>
              {project !== undefined && memories > SHOWN_OF_ONE && (
                <Link to="/search" search={{ project }}>
                  {text.common.all}
                </Link>
              )}
            </p>
            <Rows rows={rows.slice(0, SHOWN_OF_ONE)} />
          </div>
        );
      })}
    </Part>
  );
}

const Rows = ({ rows }: { readonly rows: readonly Row[] }) => (
  <ul className="plain-list">
    {rows.map((row) => (
      <li key={row.id} className="home-row">
        <MemoryLink id={row.id}>{nameIn(row)}</MemoryLink>
        <span className="meta">
          <Layer layer={row.layer} />
          <bdi>{row.entity.name}</bdi>
          <span>{memberName(row.author)}</span>
          <When at={row.created_at * 1000} />
        </span>
      </li>
    ))}
  </ul>
);

function Rules({ rows }: { readonly rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  return (
    <Part title={text.home.rules}>
      <Rows rows={rows} />
    </Part>
  );
}

const QUEUES = ["contradictions", "stale", "flagged", "promotions"] as const;

function Waiting({ home: { waiting } }: HomeProps) {
  const { data: inbox } = useQuery(queries.inbox());
  const counts = [
    ...QUEUES.map((name) => [name, waiting[name]] as const),
    ["duplicates", inbox?.counts.duplicates ?? 0] as const,
  ].filter(([, count]) => count > 0);
  return (
    <Part title={text.home.waiting}>
      {counts.length === 0 && <p className="lead">{text.home.nothingWaits}</p>}
      <ul className="plain-list">
        {counts.map(([name, count]) => (
          <li key={name}>
            <Link to="/inbox" search={{ tab: name }} className="home-count">
              {text.home.waits[name](count)}
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Helped({ home: { helped } }: HomeProps) {
  return (
    <Part title={text.home.helped}>
      <p className="lead">{helped.opened === 0 ? text.home.nothingHelped : text.home.opened(helped.opened)}</p>
      <ul className="plain-list">
        {helped.memories.map((row) => (
          <li key={row.id} className="home-row home-times">
            <MemoryLink id={row.id}>{nameIn(row)}</MemoryLink>
            <span className="score">{text.activity.times(row.times)}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Gaps({ home: { gaps = [] } }: HomeProps) {
  if (gaps.length === 0) return null;
  return (
    <Part title={text.insight.gaps}>
      <ul className="plain-list">
        {gaps.map(({ question, times }) => (
          <li key={question} className="home-row home-times">
            <Link to="/search" search={{ q: question }} className="told clamp2" dir="auto">
              {question}
            </Link>
            <span className="score">{text.activity.times(times)}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function OpenWork({ home: { work, handoffs } }: HomeProps) {
  return (
    <Part title={text.home.work}>
      {work.total === 0 && handoffs.length === 0 && <p className="lead">{text.work.empty}</p>}
      <ul className="plain-list">
        {handoffs.map(({ session_id: session, at, text: said }) => (
          <li key={`${session} ${at}`} className="home-row">
            <Link to="/sessions/$id" params={{ id: session }} className="told clamp2" dir="auto">
              {firstLine(said)}
            </Link>
            <span className="meta">
              <span>{text.home.handoff}</span>
              <When at={at * 1000} />
            </span>
          </li>
        ))}
        {work.items.map(({ id, title, priority, author }) => (
          <li key={id} className="home-row">
            <Link to="/work" className="told clamp2" dir="auto">
              {title}
            </Link>
            <span className="meta">
              <span>{nameOf(text.work.priorities, String(priority))}</span>
              <span>{memberName(author)}</span>
            </span>
          </li>
        ))}
      </ul>
      {work.total > work.items.length && (
        <Link to="/work" className="lead">
          {text.common.more} ({number(work.total)})
        </Link>
      )}
    </Part>
  );
}

/** First line of a handoff that has text, without marks of Markdown. */
const firstLine = (said: string): string =>
  said
    .split("\n")
    .map((line) => line.replace(/^[#*\-\s]{0,20}/, "").trim())
    .find((line) => line !== "") ?? said;
