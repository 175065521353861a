import { useInfiniteQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { memoryPages, sessionPages } from "../../api/pages.ts";
import { text } from "../../i18n/index.ts";
import { Answer, Nothing, Page } from "../../parts/page.tsx";
import { ShowMore } from "../../parts/table.tsx";
import { Timeline } from "../../parts/timeline.tsx";
import { Handoff } from "./handoffs.tsx";

/** Session in order of time, and where it stopped. */
export function SessionPage() {
  const { id } = useParams({ from: "/sessions/$id" });
  const asked = useInfiniteQuery(memoryPages({ session_id: id, state: "all", journal: "true" }));
  const { data: known } = useInfiniteQuery(sessionPages());
  const handoffs = known?.pages[0]?.handoffs.filter(({ session_id: of }) => of === id) ?? [];
  return (
    <Page title={text.sessions.one} lead={id}>
      {handoffs.map((handoff) => (
        <Handoff key={handoff.at} handoff={handoff} />
      ))}
      <Answer of={asked}>
        {({ pages }) => {
          const memories = pages.flatMap((page) => page.memories);
          if (memories.length === 0) return <Nothing>{text.sessions.leftNothing}</Nothing>;
          return (
            <>
              <Timeline memories={memories} />
              <ShowMore of={asked} />
            </>
          );
        }}
      </Answer>
    </Page>
  );
}
