import type { Hit } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Bars, nameOf } from "../../parts/memory-bits.tsx";

/** Reasons for a hit in words. */
export const Reasons = ({ reasons = [] }: { readonly reasons?: readonly string[] | undefined }) =>
  reasons.map((reason) => (
    <span key={reason} className="chip">
      {nameOf(text.reasons, reason)}
    </span>
  ));

const PARTS = ["relevance", "heat", "momentum", "importance", "activation"] as const;
/** Multiplies the score: 1 changes nothing. */
const isFactor = (name: string): boolean => name.endsWith("_penalty");
const isPart = (name: string): boolean => PARTS.some((part) => part === name);

/** Figures that decided the place of a hit, from the same recall as agents have. */
export function Why({ hit }: { readonly hit: Hit }) {
  const { score_breakdown: breakdown = {}, composite } = hit;
  const figures = Object.entries(breakdown).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  const parts = figures.filter(([name]) => isPart(name));
  const rest = figures.filter(([name, value]) => !isPart(name) && value !== (isFactor(name) ? 1 : 0));
  return (
    <div className="two why">
      <div>
        <Bars rows={parts.map(([name, value]) => [nameOf(text.score, name), value])} most={1} />
        {composite !== undefined && (
          <p className="lead">
            {text.search.columns.score} {number(composite, { maximumFractionDigits: 3 })}
          </p>
        )}
      </div>
      <dl className="facts">
        {rest.map(([name, value]) => (
          <div key={name} className="pair">
            <dt>{nameOf(text.score, name)}</dt>
            <dd className="num">{number(value, { maximumFractionDigits: 3 })}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
