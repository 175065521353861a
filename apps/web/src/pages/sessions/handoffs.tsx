import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { sessionPages } from "../../api/pages.ts";
import type { Get } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { nameOf, When } from "../../parts/memory-bits.tsx";
import { Answer, Nothing } from "../../parts/page.tsx";

/** Lists what the member's own sessions left for the next one. */
export function Handoffs() {
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
