import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { sessionPages } from "../../api/pages.ts";
import { number, text } from "../../i18n/index.ts";
import { When } from "../../parts/memory-bits.tsx";
import { Answer, NothingYet } from "../../parts/page.tsx";
import { ShowMore, Table } from "../../parts/table.tsx";

/** Sessions that left memories, the last active first. */
export function SessionList() {
  const asked = useInfiniteQuery(sessionPages());
  return (
    <Answer of={asked}>
      {({ pages }) => {
        const sessions = pages.flatMap((page) => page.sessions);
        if (sessions.length === 0) return <NothingYet>{text.sessions.empty}</NothingYet>;
        return (
          <>
            <Table
              wideOnly={[5, 6, 7]}
              heads={[
                text.sessions.session,
                text.sessions.last,
                { number: text.entities.memories },
                { number: text.files.edits },
                text.memory.project,
                text.people.of,
                text.sessions.first,
              ]}
            >
              {sessions.map(({ session_id: id, author, project, memories, edits, first_at: first, last_at: last }) => (
                <tr key={`${author} ${id}`}>
                  <td>
                    <Link to="/sessions/$id" params={{ id }} className="clamp1 break narrow-cell" title={id}>
                      {id}
                    </Link>
                  </td>
                  <td>
                    <When at={last * 1000} />
                  </td>
                  <td className="num">{number(memories)}</td>
                  <td className="num">{number(edits)}</td>
                  <td>
                    <bdi>{project ?? text.common.none}</bdi>
                  </td>
                  <td>{author}</td>
                  <td>
                    <When at={first * 1000} />
                  </td>
                </tr>
              ))}
            </Table>
            <ShowMore of={asked} />
          </>
        );
      }}
    </Answer>
  );
}
