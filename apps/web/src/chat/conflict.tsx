import type { App } from "@modelcontextprotocol/ext-apps";
import { useState } from "react";
import { moment, text } from "../i18n/index.ts";
import { Statement } from "../pages/inbox/statement.tsx";
import { Layer, nameOf } from "../parts/memory-bits.tsx";
import { memberName } from "../parts/words/member-name.ts";
import { conflictsOf, type How, type Pair, settle } from "./tools.ts";

/** Two memories that contradict each other, with buttons to settle them if the host lets this document call tools. */
export function Conflict({ pair: told, app }: { readonly pair: Pair; readonly app: App }) {
  const [pair, setPair] = useState(told);
  const { newer, older, reason, statements } = pair;
  const [stage, setStage] = useState<"open" | "asking" | "busy" | "settled">("open");
  const [why, setWhy] = useState("");
  const [refusal, setRefusal] = useState("");
  const canSettle = app.getHostCapabilities()?.serverTools !== undefined;
  const run = async (how: How, reasonGiven?: string) => {
    setStage("busy");
    setRefusal("");
    try {
      await settle(app, pair, how, reasonGiven);
      // A reopened pair has newer versions than those on the screen.
      if (how === "reopen")
        setPair((await conflictsOf(app, newer.id)).find((each) => each.older.id === older.id) ?? pair);
      setStage(how === "reopen" ? "open" : "settled");
    } catch (error) {
      setRefusal((error as Error).message);
      setStage(how === "reopen" ? "settled" : "open");
    }
  };
  const ways = [
    [text.inbox.keepThis, () => run("keep_this")],
    [text.inbox.keepThat, () => run("keep_other")],
    [text.inbox.keepBoth, () => setStage("asking")],
    [text.inbox.merge, () => run("merge")],
  ] as const;
  return (
    <section className="card group">
      {reason !== null && <span className="chip chip-warn">{nameOf(text.inbox.rules, reason)}</span>}
      <div className="two sides">
        <Side row={newer} name={text.inbox.newer} statement={statements[0]} />
        <Side row={older} name={text.inbox.older} statement={statements[1]} />
      </div>
      {refusal !== "" && <p role="alert">{refusal}</p>}
      {stage === "settled" && (
        <p role="status">
          {text.inbox.settled}{" "}
          <button type="button" onClick={() => run("reopen")}>
            {text.common.undo}
          </button>
        </p>
      )}
      {canSettle && (stage === "open" || stage === "busy") && (
        <p className="ways">
          {ways.map(([name, act]) => (
            <button key={name} type="button" disabled={stage === "busy"} onClick={act}>
              {name}
            </button>
          ))}
        </p>
      )}
      {stage === "asking" && (
        // No `<form>`, because the frame of a host may forbid submitting one.
        <p className="ways">
          <label>
            {text.inbox.whenEach} <input value={why} onChange={(event) => setWhy(event.target.value)} maxLength={500} />
          </label>
          <button type="button" disabled={why.trim() === ""} onClick={() => run("both_hold", why.trim())}>
            {text.inbox.keepBoth}
          </button>
        </p>
      )}
    </section>
  );
}

interface SideProps {
  readonly row: Pair["newer"];
  readonly name: string;
  readonly statement: string;
}

function Side({ row, name, statement }: SideProps) {
  return (
    <div className="side">
      <p className="meta">
        <b>{name}</b>
        <span>#{row.id}</span>
        <Layer layer={row.layer} />
        <bdi>{row.entity.name}</bdi>
      </p>
      <Statement content={row.content} statement={statement} />
      <p className="meta">
        <bdi>{memberName(row.author)}</bdi>
        <span>{moment(row.updated_at * 1000)}</span>
      </p>
    </div>
  );
}
