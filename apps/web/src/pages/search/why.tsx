import type { Hit } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Bars, nameOf } from "../../parts/memory-bits.tsx";

/** Reasons that name how a memory was found; the other reasons are shown as figures. */
const FOUND_BY = [
  "content_match_dual",
  "content_match_fts",
  "content_match_vector",
  "vector_only",
  "content_substring",
  "entity_name_match",
  "tag_match",
  "context_match",
] as const;

/** Reason for a hit in one short line. */
export function reasonLine(reasons: readonly string[] = []): string | undefined {
  const found = FOUND_BY.filter((reason) => reasons.includes(reason));
  // "Found by words and meaning" already includes both single reasons.
  const telling = found.filter((reason, _at, all) => !(all[0] === "content_match_dual" && IN_BOTH.has(reason)));
  return telling.length === 0 ? undefined : text.search.foundBy(telling.map((reason) => nameOf(text.reasons, reason)));
}

const IN_BOTH: ReadonlySet<string> = new Set(["content_match_fts", "content_match_vector", "vector_only"]);

const PARTS = ["relevance", "heat", "momentum", "importance", "activation"] as const;
/** Whether a figure is a factor of the score: 1 then changes nothing. */
const isFactor = (name: string): boolean => name.endsWith("_penalty");
const isPart = (name: string): boolean => PARTS.some((part) => part === name);

/** Figures that decided the place of a hit, from the same recall as agents have. */
export function Why({ hit }: { readonly hit: Hit }) {
  const { score_breakdown: breakdown = {}, composite, match_reasons: reasons = [] } = hit;
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
        <p className="lead">{reasons.map((reason) => nameOf(text.reasons, reason)).join(" · ")}</p>
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
