import { Group, TextInput, Title } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { answer, chest } from "../api/client.ts";
import { useIsLive } from "../api/events.ts";
import { type Get, queries } from "../api/queries.ts";
import { day, number, text, timeOf } from "../i18n/index.ts";
import { gather, type Happened, isTold } from "../parts/happened.ts";
import { MemoryLink, nameOf, nameOfClient, When } from "../parts/memory-bits.tsx";
import { isNarrowed, Narrowing } from "../parts/narrowing.tsx";
import { Answer, Nothing, NothingYet, Page } from "../parts/page.tsx";
import { ShowMore, Table } from "../parts/table.tsx";
import { memberName } from "../parts/words/member-name.ts";

/** Changes as sentences, for every member as far as it may see them, and the audit log for operators. */
export function Activity() {
  const isLive = useIsLive();
  const narrowed = useSearch({ from: "/activity" });
  const navigate = useNavigate({ from: "/activity" });
  const asked = useQuery(queries.events(narrowed));
  const { data: me } = useQuery(queries.whoami());
  return (
    <Page
      title={text.activity.title}
      lead={text.activity.lead}
      actions={
        <output className="live lead">
          <span className={isLive ? "dot dot-learning" : "dot"} aria-hidden="true" />
          {isLive ? text.activity.live : text.activity.paused}
        </output>
      }
    >
      <Narrowing
        of={narrowed}
        set={(to) =>
          void navigate({
            search: ({ member, op }) => ({ ...(member && { member }), ...(op && { op }), ...to }),
            replace: true,
          })
        }
      />
      <Answer of={asked}>
        {(all) => {
          const events = all.filter(isTold);
          if (events.length > 0) return <Sentences groups={gather(events)} />;
          return isNarrowed(narrowed) ? (
            <Nothing>{text.activity.nothingSo}</Nothing>
          ) : (
            <NothingYet>{text.activity.nothingYet}</NothingYet>
          );
        }}
      </Answer>
      {me?.scopes.includes("operate") && <Audit />}
    </Page>
  );
}

const [SHOWN_TITLES, MOST_TOLD, MOST_TITLES] = [4, 60, 200] as const;

/** Tells what happened, by the day, with the memories that it happened to. */
function Sentences({ groups }: { readonly groups: readonly Happened[] }) {
  const shown = groups.slice(0, MOST_TOLD);
  const ids = [...new Set(shown.flatMap((each) => each.ids.slice(0, SHOWN_TITLES)))].slice(0, MOST_TITLES);
  const { data: titles } = useQuery(queries.titles(ids));
  const days = Map.groupBy(shown, ({ at }) => day(at));
  return [...days].map(([name, happened]) => (
    <section key={name} className="day">
      <Title order={2} className="day-name">
        {name}
      </Title>
      {happened.map(({ seq, at, op, member, ids: of }) => (
        <article key={seq} className="moment">
          <time dateTime={at} className="score">
            {timeOf(at)}
          </time>
          <div>
            <p className="sentence">{sentenceOf(op, member, of.length)}</p>
            <ul className="plain-list told-list">
              {of.slice(0, SHOWN_TITLES).map((id) => (
                <li key={id}>
                  <MemoryLink id={id}>{titles?.get(id) ?? `#${id}`}</MemoryLink>
                </li>
              ))}
            </ul>
            {of.length > SHOWN_TITLES && <span className="lead">+{number(of.length - SHOWN_TITLES)}</span>}
          </div>
        </article>
      ))}
    </section>
  ));
}

const MAINTENANCE = "maintenance:";

function sentenceOf(op: string, member: string | null, memories: number): string {
  if (op.startsWith(MAINTENANCE))
    return text.activity.maintained(nameOf(text.health.passes, op.slice(MAINTENANCE.length)), memories);
  return (text.activity.did[op] ?? text.activity.didOther)(
    member === null ? text.activity.somebody : memberName(member),
    memories,
  );
}

function Audit() {
  const { member, op, ...narrowed } = useSearch({ from: "/activity" });
  const filters = { ...(member && { member }), ...(op && { op }) };
  const navigate = useNavigate({ from: "/activity" });
  const asked = useInfiniteQuery({
    queryKey: ["audit", filters],
    queryFn: ({ pageParam }) => {
      const query = { ...filters, limit: 100, ...(pageParam === undefined ? {} : { before: pageParam }) };
      return answer(chest.GET("/api/audit", { params: { query: query } }));
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ entries }) => (entries.length < 100 ? undefined : entries.at(-1)?.seq),
  });
  const set = (name: "member" | "op", value: string) =>
    void navigate({
      search: {
        ...narrowed,
        ...Object.fromEntries(Object.entries({ ...filters, [name]: value }).filter(([, given]) => given !== "")),
      },
      replace: true,
    });
  return (
    <>
      <Group justify="space-between" mt="xl" mb="xs">
        <div>
          <Title order={2}>{text.activity.audit}</Title>
          <p className="lead">{text.activity.auditLead}</p>
        </div>
        <Group gap="xs">
          {(["member", "op"] as const).map((name) => (
            <TextInput
              key={name}
              size="xs"
              defaultValue={filters[name]}
              aria-label={name === "op" ? text.activity.filterOp : text.activity.filterMember}
              placeholder={name === "op" ? text.activity.filterOp : text.activity.filterMember}
              onBlur={({ currentTarget }) => set(name, currentTarget.value.trim())}
              onKeyDown={({ key, currentTarget }) => key === "Enter" && set(name, currentTarget.value.trim())}
            />
          ))}
        </Group>
      </Group>
      <Answer of={asked}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries);
          return entries.length === 0 ? <Nothing>{text.activity.noEntries}</Nothing> : <Entries entries={entries} />;
        }}
      </Answer>
      <ShowMore of={asked} />
    </>
  );
}

type Entry = Get<"/api/audit">["entries"][number];

const SHOWN_IDS = 12;

const Entries = ({ entries }: { readonly entries: readonly Entry[] }) => (
  <Table heads={[text.activity.at, text.activity.who, text.activity.what, text.activity.memories]}>
    {entries.map(({ seq, at, member, op, outcome, memory_ids: ids, subject, times = 1, client }) => (
      <tr key={seq}>
        <td>
          <When at={at} />
        </td>
        <td>
          {member === null ? text.activity.nobody : memberName(member)}{" "}
          <span className="lead wide-only">{nameOfClient(client ?? "unstated/")}</span>
        </td>
        <td>
          <code>{op}</code> {outcome !== "ok" && <span className="chip">{outcome}</span>}
          {times > 1 && <span className="lead"> {text.activity.times(times)}</span>}
        </td>
        <td>
          <span className="meta">
            {ids.slice(0, SHOWN_IDS).map((id) => (
              <Link key={id} to="/memories/$id" params={{ id: String(id) }}>
                {id}
              </Link>
            ))}
            {ids.length > SHOWN_IDS && <span>+{ids.length - SHOWN_IDS}</span>}
            {subject}
          </span>
        </td>
      </tr>
    ))}
  </Table>
);
