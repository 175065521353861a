import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ApiError } from "../../api/api-error.ts";
import { type Get, queries } from "../../api/queries.ts";
import { day, lengthOf, moment, number, text, timeOf } from "../../i18n/index.ts";
import { Layer, MemoryLink, nameOf, nameOfClient } from "../../parts/memory-bits.tsx";
import { Answer, Nothing, Page } from "../../parts/page.tsx";
import { useVerdictKeys, VerdictButtons } from "../../parts/verdict.tsx";
import { memberName } from "../../parts/words/member-name.ts";
import { nameIn } from "../../parts/words/own-title.ts";
import { StoredText } from "../memory/stored-text.tsx";

type Replay = Get<"/api/sessions/{id}">;
type Step = Replay["steps"][number];
type Row = NonNullable<Step["memory"]>;

/** A session from its first request to what it left, in order of time and in sentences. */
export function SessionPage() {
  const { id } = useParams({ from: "/sessions/$id" });
  const { author } = useSearch({ from: "/sessions/$id" });
  const query = useQuery(queries.session(id, author));
  const { data: me } = useQuery(queries.whoami());
  const { error, data } = query;
  const title = data?.name || text.sessions.one;
  return (
    <Page title={title} lead={data ? span(data) : " "}>
      {error instanceof ApiError && error.code === "NOT_FOUND" && !data ? (
        <Nothing>{text.sessions.leftNothing}</Nothing>
      ) : (
        <Answer of={query}>
          {(replay) => <Steps replay={replay} mayJudge={me?.scopes.includes("write") ?? false} />}
        </Answer>
      )}
    </Page>
  );
}

const span = ({ first_at: first, last_at: last }: Replay): string =>
  `${moment(first * 1000)} · ${lengthOf((last - first) / 60) ?? text.replay.underMinute}`;

interface StepsProps {
  readonly replay: Replay;
  readonly mayJudge: boolean;
}

function Steps({ replay, mayJudge }: StepsProps) {
  useVerdictKeys(mayJudge);
  const { author, client, project, files, tokens, steps } = replay;
  const agent = client === undefined ? undefined : nameOfClient(client);
  const days = Map.groupBy(gathered(steps), ([first]) => day((first?.at ?? 0) * 1000));
  return (
    <div className="replay">
      <p className="meta">
        <span>{memberName(author)}</span>
        {agent !== undefined && <bdi>{agent}</bdi>}
        {project !== undefined && <bdi>{project}</bdi>}
        {files > 0 && <span>{text.replay.files(files)}</span>}
        {tokens > 0 && <span>{text.replay.shownSum(number(tokens))}</span>}
      </p>
      {[...days].map(([name, groups]) => (
        <section key={name} className="day">
          <Title order={2} className="day-name">
            {name}
          </Title>
          {groups.map((group) => (
            <Moment
              key={`${group[0]?.kind} ${group[0]?.at} ${group[0]?.path ?? group[0]?.memory?.id}`}
              group={group}
              mayJudge={mayJudge}
            />
          ))}
        </section>
      ))}
    </div>
  );
}

/** Merges consecutive edits into one step. */
function gathered(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.kind === "edit" && last?.[0]?.kind === "edit") last.push(step);
    else groups.push([step]);
  }
  return groups;
}

function Moment({ group, mayJudge }: { readonly group: readonly Step[]; readonly mayJudge: boolean }) {
  const [step] = group;
  if (!step) return null;
  return (
    <article className={`moment step step-${step.kind}`}>
      <time dateTime={new Date(step.at * 1000).toISOString()} className="score">
        {timeOf(step.at * 1000)}
      </time>
      <div>
        <p className="step-head">
          <span>{headOf(step)}</span>
          {step.tokens !== undefined && <span className="score">{text.replay.tokens(number(step.tokens))}</span>}
        </p>
        {bodyOf(step, group, mayJudge)}
      </div>
    </article>
  );
}

function headOf(step: Step): string {
  const { replay } = text;
  switch (step.kind) {
    case "prompt":
      return replay.prompt;
    case "shown":
      return nameOf(replay.shownAt, step.surface ?? "prompt");
    case "edit":
      return replay.edited;
    case "failure":
      return replay.failed;
    case "remembered":
      return step.rule === undefined ? replay.remembered : replay.noted;
    case "left":
      return replay.left;
  }
}

function bodyOf(step: Step, group: readonly Step[], mayJudge: boolean): ReactNode {
  if (step.kind === "edit")
    return (
      <ul className="plain-list">
        {group.map(({ path = "", times = 1 }) => (
          <li key={path} className="edited">
            <code className="break edited-path">{path}</code>
            {times > 1 && <span className="score">{text.replay.times(times)}</span>}
          </li>
        ))}
      </ul>
    );
  if (step.kind === "shown")
    return (
      <ul className="plain-list">
        {step.memories?.map((row) => (
          <ShownMemory
            key={row.id}
            row={row}
            mayJudge={mayJudge}
            {...(step.memories?.length === 1 ? {} : { tokens: row.tokens })}
          />
        ))}
      </ul>
    );
  if (step.kind === "remembered" && step.memory)
    return (
      <ul className="plain-list">
        <ShownMemory row={step.memory} mayJudge={mayJudge} />
      </ul>
    );
  return (
    <div className="card said">
      <StoredText text={step.text ?? ""} />
    </div>
  );
}

interface ShownMemoryProps {
  readonly row: Row;
  readonly tokens?: number;
  readonly mayJudge: boolean;
}

/** One memory, with what it cost and with a verdict at hand. */
const ShownMemory = ({ row, tokens, mayJudge }: ShownMemoryProps) => (
  <li className="told-row" data-memory={row.id}>
    <div>
      <MemoryLink id={row.id}>{nameIn(row)}</MemoryLink>
      <span className="meta">
        <Layer layer={row.layer} />
        <bdi>{row.entity.name}</bdi>
        {row.state !== "live" && <span className="chip">{nameOf(text.states, row.state)}</span>}
        {tokens !== undefined && <span>{text.replay.tokens(number(tokens))}</span>}
      </span>
    </div>
    {mayJudge && row.state === "live" && <VerdictButtons id={row.id} />}
  </li>
);
