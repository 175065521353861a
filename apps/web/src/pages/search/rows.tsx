import { UnstyledButton } from "@mantine/core";
import { type MouseEvent, memo, useState } from "react";
import type { Hit } from "../../api/queries.ts";
import { ago, number, text } from "../../i18n/index.ts";
import { nameOf } from "../../parts/memory-bits.tsx";
import { shortName } from "../../parts/project-names.tsx";
import { memberName } from "../../parts/words/member-name.ts";
import { ownTitle } from "../../parts/words/own-title.ts";
import { MarkedText } from "./marked-text.tsx";
import { reasonLine, Why } from "./why.tsx";

export interface RowProps {
  readonly hit: Hit;
  readonly isActive: boolean;
  /** Words that were asked for. */
  readonly query: string | undefined;
  readonly isChosen: boolean;
  choose(hit: Hit): void;
  open(event: MouseEvent<HTMLAnchorElement>): void;
}

const addressOf = (id: number): string => `#/memories/${id}`;

const MOST_TAGS = 3;
/** Letters of a text in a row: more than its lines hold, and less to lay out than all. */
const MOST_CHARS = 220;
const beginningOf = (said: string, most: number): string => (said.length > most ? `${said.slice(0, most)}…` : said);

/** Hit in the list, with what it says and why it is here. */
export const ListRow = memo(function ListRow({ hit, isActive, query, isChosen, choose, open }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const { id, layer, content, entity, tags = [], composite, state, near_duplicates: alike = [] } = hit;
  const reason = reasonLine(hit.match_reasons);
  const title = ownTitle(hit);
  return (
    <div
      className={hit.match_reasons ? "row reasoned" : "row"}
      data-active={isActive || undefined}
      data-chosen={isChosen || undefined}
    >
      <Choice hit={hit} isChosen={isChosen} choose={choose} />
      <a href={addressOf(id)} className="row-main" data-hit={id} onClick={open}>
        <span className={`dot dot-${layer}`} aria-hidden="true" />
        <span>
          {title !== undefined && (
            <b className="row-title clamp1" dir="auto">
              <MarkedText query={query}>{title}</MarkedText>
            </b>
          )}
          <span className="row-said clamp2" dir="auto">
            <MarkedText query={query}>{beginningOf(content, MOST_CHARS)}</MarkedText>
          </span>
          <span className="meta">
            <span>{nameOf(text.layers, layer)}</span>
            <span dir="auto">{entity.name}</span>
            {hit.author !== undefined && <span>{memberName(hit.author)}</span>}
            {hit.project && <span dir="auto">{shortName(hit.project)}</span>}
            {tags.slice(0, MOST_TAGS).map((tag) => (
              <span key={tag}>#{tag}</span>
            ))}
            <span>{ago(hit.created_at * 1000)}</span>
            {hit.pinned && <span>{text.search.pinned}</span>}
            {state && <span>{nameOf(text.states, state)}</span>}
            {alike.length > 0 && <span>{text.search.similar(alike.length)}</span>}
          </span>
        </span>
        <span className="score">{composite === undefined ? `#${id}` : <Strength of={composite} />}</span>
      </a>
      {hit.match_reasons && (
        <div className="meta reasons">
          {reason !== undefined && <span>{reason}</span>}
          <UnstyledButton className="why-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? text.search.hideWhy : text.search.why}
          </UnstyledButton>
        </div>
      )}
      {isOpen && <Why hit={hit} />}
    </div>
  );
});

/** Checkbox that selects a row with the mouse. It is skipped by Tab, because the key `x` selects a row. */
const Choice = ({ hit, isChosen, choose }: Pick<RowProps, "hit" | "isChosen" | "choose">) => (
  <input
    type="checkbox"
    className="choice"
    tabIndex={-1}
    checked={isChosen}
    onChange={() => choose(hit)}
    aria-label={text.bulk.choose(hit.id)}
  />
);

const STEPS = [0.25, 0.45, 0.6] as const;

/** Strength of a hit in three bars; the figure is read aloud and stands among the reasons. */
const Strength = ({ of }: { readonly of: number }) => (
  <span className="strength" role="img" aria-label={number(of, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}>
    {STEPS.map((least, at) => (
      // A row that was found has at least one bar.
      <i key={least} data-full={at === 0 || of >= least || undefined} />
    ))}
  </span>
);

/** @param isAnswer Rows that answer a question have a score, and tell how much they are in use. */
export function TableHead({ isAnswer }: { readonly isAnswer: boolean }) {
  const { memory, layer, entity, importance, heat, made, score } = text.search.columns;
  return (
    <div className="cells cells-head" aria-hidden="true">
      {[memory, layer, entity, made].map((name) => (
        <span key={name}>{name}</span>
      ))}
      {[importance, ...(isAnswer ? [heat, score] : [])].map((name) => (
        <span key={name} className="num">
          {name}
        </span>
      ))}
    </div>
  );
}

/** Letters of a text in a row of the table: more than its column holds at any width. */
const MOST_OF_LINE = 120;

/**
 * Number of characters that fit the narrowest column in any script: a shorter text needs no clipping box, which is slow to
 * paint.
 */
const SURELY_FIT = 12;
const lineOf = (said: string): string | undefined => (said.length > SURELY_FIT ? "one-line" : undefined);

/** Cells of a hit in the table. They are few and flat: each one is made, laid out and painted for every row that comes into sight. */
export function TableCells({ hit, isActive, query, isChosen, choose, open }: RowProps) {
  const isAnswer = hit.composite !== undefined;
  const figure = (value: number | undefined, digits: number) =>
    value === undefined ? "" : number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (
    <>
      <Choice hit={hit} isChosen={isChosen} choose={choose} />
      <a
        href={addressOf(hit.id)}
        onClick={open}
        className="cells"
        data-active={isActive || undefined}
        data-hit={hit.id}
      >
        <span className="one-line" dir="auto">
          <MarkedText query={query}>{beginningOf(ownTitle(hit) ?? hit.content, MOST_OF_LINE)}</MarkedText>
        </span>
        <span className={`dotted dot-${hit.layer}`}>{nameOf(text.layers, hit.layer)}</span>
        <span className={lineOf(hit.entity.name)} dir="auto">
          {hit.entity.name}
        </span>
        <span>{ago(hit.created_at * 1000)}</span>
        <span className="num">{figure(hit.importance, 1)}</span>
        {isAnswer && (
          <>
            <span className="num">{figure(hit.heat, 0)}</span>
            <span className="num">{figure(hit.composite, 2)}</span>
          </>
        )}
      </a>
    </>
  );
}
