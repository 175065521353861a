import { Code } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { readView } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { MemoryLink } from "../../parts/memory-bits.tsx";
import { Answer, Nothing } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";

/** Memories that show themselves, each with its condition. */
export function Triggers() {
  const query = useQuery({
    queryKey: ["memories", "triggers"],
    queryFn: () => readView("triggers", { limit: 200, project: "*" }),
  });
  return (
    <Answer of={query}>
      {({ items }) =>
        items.length === 0 ? (
          <Nothing>{text.sessions.noTriggers}</Nothing>
        ) : (
          <>
            <p className="lead">{text.sessions.triggersLead}</p>
            <Table
              heads={[
                text.search.columns.memory,
                text.sessions.condition,
                { name: text.memory.importance, isNumber: true },
              ]}
            >
              {items.map(({ id, trigger, importance, content }) => (
                <tr key={id}>
                  <td>
                    <MemoryLink id={id}>{content}</MemoryLink>
                  </td>
                  <td>
                    <Condition of={trigger} />
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

const PARTS = ["any", "all", "none"] as const;

/** Condition of a trigger: as words if it consists of words alone, otherwise as stored. */
function Condition({ of }: { readonly of: unknown }) {
  const parts = typeof of === "object" && of !== null ? Object.entries(of) : [];
  const words = PARTS.flatMap((name) => {
    const [, keys] = parts.find(([part]) => part === name) ?? [];
    return Array.isArray(keys) ? [[name, keys.map(String)] as const] : [];
  });
  if (words.length === 0 || words.length < parts.length)
    return <Code className="break">{typeof of === "string" ? of : JSON.stringify(of)}</Code>;
  return words.map(([name, keys]) => (
    <div key={name} className="meta">
      <span>{text.sessions.conditions[name]}</span>
      {keys.map((key) => (
        <span key={key} className="chip">
          {key}
        </span>
      ))}
    </div>
  ));
}
