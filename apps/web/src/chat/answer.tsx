import type { App } from "@modelcontextprotocol/ext-apps";
import { useState } from "react";
import { moment, text } from "../i18n/index.ts";
import { Layer, nameOf } from "../parts/memory-bits.tsx";
import { Conflict } from "./conflict.tsx";
import { type AnsweredMemory, conflictsOf, type Pair } from "./tools.ts";

interface AnswerProps {
  readonly answer: Readonly<Record<string, unknown>>;
  readonly app: App;
}

/** Shows the memories in a tool's answer. The assistant describes the rest of the answer in its own words. */
export function Answer({ answer, app }: AnswerProps) {
  if (answer.view === "contradictions") return <Conflicts pairs={listIn(answer.items)} app={app} />;
  const listed = listIn<AnsweredMemory>(answer.memories ?? answer.items);
  const memories = listed.filter(isMemory);
  if (memories.length === 0) return listed.length > 0 ? null : <p className="lead">{text.common.nothing}</p>;
  return (
    <ul className="plain-list">
      {memories.map((memory) => (
        <Memory key={memory.id} memory={memory} app={app} />
      ))}
    </ul>
  );
}

const listIn = <T,>(input: unknown): T[] => (Array.isArray(input) ? input : []);

const isMemory = ({ id, content, entity }: AnsweredMemory) =>
  Number.isInteger(id) && typeof content === "string" && typeof entity?.name === "string";

function Conflicts({ pairs, app }: { readonly pairs: readonly Pair[]; readonly app: App }) {
  if (pairs.length === 0) return <p className="lead">{text.inbox.empty}</p>;
  return pairs.map((pair) => <Conflict key={`${pair.newer.id} ${pair.older.id}`} pair={pair} app={app} />);
}

function Memory({ memory, app }: { readonly memory: AnsweredMemory; readonly app: App }) {
  const {
    id,
    content,
    layer,
    entity,
    created_at: at,
    pinned,
    tags = [],
    state = "live",
    contradicted_by: against,
  } = memory;
  const [pairs, setPairs] = useState<readonly Pair[]>();
  const [refusal, setRefusal] = useState("");
  const open = () => conflictsOf(app, id).then(setPairs, (error: Error) => setRefusal(error.message));
  return (
    <li className="row memory-told">
      <p className="stored" dir="auto">
        {content}
      </p>
      <p className="meta">
        <span>#{id}</span>
        <Layer layer={layer} />
        <bdi>{entity.name}</bdi>
        {at !== undefined && <time dateTime={new Date(at * 1000).toISOString()}>{moment(at * 1000)}</time>}
        {pinned && <span className="chip">{text.entities.pinned}</span>}
        {state !== "live" && <span className="chip">{nameOf(text.states, state)}</span>}
        {tags.map((tag) => (
          <bdi key={tag} className="chip">
            {tag}
          </bdi>
        ))}
        {against?.length && !pairs && app.getHostCapabilities()?.serverTools ? (
          <button type="button" className="chip chip-warn" onClick={open}>
            {text.inbox.tabs.contradictions}
          </button>
        ) : null}
      </p>
      {refusal !== "" && <p role="alert">{refusal}</p>}
      {pairs && <Conflicts pairs={pairs} app={app} />}
    </li>
  );
}
