import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { MemoryLink, When } from "../../parts/memory-bits.tsx";
import { Answer, Nothing, Page } from "../../parts/page.tsx";
import { memberName } from "../../parts/words/member-name.ts";

/** Turns of a conversation, the newest first. */
export function ConversationPage() {
  const { id } = useParams({ from: "/conversations/$id" });
  const { project } = useSearch({ from: "/conversations/$id" });
  const query = useQuery(queries.conversation(id, project));
  return (
    <Page title={text.sessions.conversation} lead={id}>
      <Answer of={query}>
        {({ turns }) => {
          if (turns.length === 0) return <Nothing>{text.sessions.noConversations}</Nothing>;
          return (
            <ul className="plain-list">
              {turns.map((turn) => (
                <li key={turn.id} className="known">
                  <MemoryLink id={turn.id}>{turn.content}</MemoryLink>
                  <span className="meta">
                    <span>{memberName(turn.author)}</span>
                    <When at={turn.at} />
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </Answer>
    </Page>
  );
}
