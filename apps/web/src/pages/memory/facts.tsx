import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { queries, type WholeMemory } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Layer, nameOf, nameOfClient, When } from "../../parts/memory-bits.tsx";
import { shortened } from "../../parts/shortened.ts";
import { memberName } from "../../parts/words/member-name.ts";
import { Parted } from "../../parts/words/parted.tsx";
import { withCode } from "../../parts/words/with-code.tsx";
import type { Me } from "../../shell/destinations.ts";
import { Visibility } from "./visibility.tsx";

interface FactsProps {
  readonly whole: WholeMemory;
  readonly me: Me;
}

const PERCENT = { style: "percent" } as const;

/** All that is known of a memory beside what it says. */
export function Facts({ whole: { memory, files }, me }: FactsProps) {
  const { entity, tags, expires_at: ends, session_id: session, category, evidence, project } = memory;
  const agent = nameOfClient(memory.client ?? "unstated/");
  const { git_commit: commit, git_branch: branch, last_accessed_at: lastUse, access_count: uses } = memory;
  return (
    <aside aria-label={text.memory.facts}>
      <dl className="facts">
        <Fact of={text.memory.entity}>
          <Link to="/entities/$name" params={{ name: entity.name }}>
            <bdi>{entity.name}</bdi>
          </Link>{" "}
          <span className="lead">{nameOf(text.kinds, entity.kind)}</span>
        </Fact>
        <Fact of={text.memory.layer}>
          <Layer layer={memory.layer} />
        </Fact>
        {category !== undefined && <Fact of={text.memory.category}>{nameOf(text.categories, category)}</Fact>}
        <Fact of={text.memory.importance}>
          {number(memory.importance)} {memory.pinned && <span className="chip">{text.search.pinned}</span>}
        </Fact>
        {tags.length > 0 && (
          <Fact of={text.memory.tags}>
            <span className="meta">
              {tags.map((tag) => (
                <Link key={tag} to="/search" search={{ tag }}>
                  #{tag}
                </Link>
              ))}
            </span>
          </Fact>
        )}
        <Fact of={text.memory.visibility}>
          <Visibility memory={memory} me={me} />
        </Fact>
        {project !== undefined && (
          <Fact of={text.memory.project}>
            <bdi>
              <Parted>{project}</Parted>
            </bdi>
          </Fact>
        )}
        <Fact of={text.memory.author}>{memberName(memory.author)}</Fact>
        {agent !== undefined && (
          <Fact of={text.memory.agent}>
            <bdi>{agent}</bdi>
          </Fact>
        )}
        <Fact of={text.memory.made}>
          <When at={memory.created_at * 1000} exact="moment" />
        </Fact>
        {memory.updated_at !== memory.created_at && (
          <Fact of={text.memory.changed}>
            <When at={memory.updated_at * 1000} exact="moment" />
          </Fact>
        )}
        {ends !== undefined && (
          <Fact of={text.memory.ends}>
            <When at={ends * 1000} exact="moment" />
          </Fact>
        )}
        <Fact of={text.memory.use}>
          {text.memory.uses(uses)}
          {lastUse !== undefined && (
            <>
              {" · "}
              <When at={lastUse * 1000} />
            </>
          )}
        </Fact>
        <Fact of={text.memory.certainty}>{nameOf(text.certainties, memory.certainty)}</Fact>
        <Fact of={text.memory.confidence}>{number(memory.confidence, PERCENT)}</Fact>
        {session !== undefined && (
          <Fact of={text.memory.session}>
            <SessionLink id={session} author={memory.author} />
          </Fact>
        )}
        {(commit !== null || branch !== null) && (
          <Fact of={text.memory.commit}>
            <bdi>{[branch, commit?.slice(0, 10)].filter(Boolean).join(" · ")}</bdi>
          </Fact>
        )}
        {evidence.length > 0 && (
          <Fact of={text.memory.evidence}>
            {evidence.map((each) => (
              <bdi key={each} className="block break">
                {each}
              </bdi>
            ))}
          </Fact>
        )}
        {files.length > 0 && (
          <Fact of={text.memory.files}>
            {files.map(({ path }) => (
              <Link key={path} to="/files" search={{ path }} className="block break">
                {path}
              </Link>
            ))}
          </Fact>
        )}
      </dl>
    </aside>
  );
}

const MOST_NAME = 80;

/** Name of the session, which is its first request; the session's id until the name is loaded. */
function SessionLink({ id, author }: { readonly id: string; readonly author: string }) {
  const { data } = useQuery(queries.session(id, author));
  return (
    <Link to="/sessions/$id" params={{ id }} search={{ author }} className="break" title={id} dir="auto">
      {data?.name ? withCode(shortened(data.name, MOST_NAME)) : id}
    </Link>
  );
}

const Fact = ({ of, children }: { readonly of: string; readonly children: ReactNode }) => (
  <>
    <dt>{of}</dt>
    <dd>{children}</dd>
  </>
);
