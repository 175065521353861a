import { Code } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { readView } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { MemoryLink } from "../../parts/memory-bits.tsx";
import { Answer, Nothing } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";

interface Triggered {
  readonly id: number;
  readonly trigger: unknown;
  readonly importance: number;
  readonly content: string;
}

/** Memories that show themselves, each with its condition. */
export function Triggers() {
  const asked = useQuery({
    queryKey: ["memories", "triggers"],
    queryFn: () => readView<Triggered>("triggers", { limit: 200, project: "*" }),
  });
  return (
    <Answer of={asked}>
      {({ items }) =>
        items.length === 0 ? (
          <Nothing>{text.sessions.noTriggers}</Nothing>
        ) : (
          <>
            <p className="lead">{text.sessions.triggersLead}</p>
            <Table heads={[text.search.columns.memory, text.sessions.condition, { number: text.memory.importance }]}>
              {items.map(({ id, trigger, importance, content }) => (
                <tr key={id}>
                  <td>
                    <MemoryLink id={id}>{content}</MemoryLink>
                  </td>
                  <td>
                    <Code className="break">{typeof trigger === "string" ? trigger : JSON.stringify(trigger)}</Code>
                  </td>
                  <td className="num">{number(importance)}</td>
                </tr>
              ))}
            </Table>
          </>
        )
      }
    </Answer>
  );
}
