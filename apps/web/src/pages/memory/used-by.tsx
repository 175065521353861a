import type { WholeMemory } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { When } from "../../parts/memory-bits.tsx";
import { Nothing } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";

/** Recalls that showed a memory, the last one first. */
export function UsedBy({ usedBy }: { readonly usedBy: NonNullable<WholeMemory["used_by"]> }) {
  if (usedBy.length === 0) return <Nothing>{text.memory.notShown}</Nothing>;
  return (
    <>
      <p className="lead">{text.memory.shownLead}</p>
      <Table heads={[text.people.of, text.activity.at]}>
        {usedBy.map(({ member, at }) => (
          <tr key={`${member} ${at}`}>
            <td>{member ?? text.activity.nobody}</td>
            <td>
              <When at={at * 1000} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
