import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { memoryPages } from "../api/pages.ts";
import { text } from "../i18n/index.ts";
import { Answer, Nothing, Page } from "../parts/page.tsx";
import { ShowMore } from "../parts/table.tsx";
import { Timeline } from "../parts/timeline.tsx";

/** History of an entity: what agents stored about it, and when. */
export function EntityPage() {
  const { name } = useParams({ from: "/entities/$name" });
  const query = useInfiniteQuery(memoryPages({ entity_name: name, state: "all" }));
  return (
    <Page
      title={name}
      lead={text.entities.historyLead}
      actions={
        <Link to="/search" search={{ entity: name }}>
          {text.entities.searchIn}
        </Link>
      }
    >
      <Answer of={query}>
        {({ pages }) => {
          const memories = pages.flatMap((page) => page.memories);
          if (memories.length === 0) return <Nothing>{text.entities.nothing}</Nothing>;
          return (
            <>
              <p className="lead">{text.search.results(pages[0]?.total ?? 0, false)}</p>
              <Timeline memories={memories} withSession />
              <ShowMore of={query} />
            </>
          );
        }}
      </Answer>
    </Page>
  );
}
