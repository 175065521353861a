import { Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ago, moment, number, text } from "../i18n/index.ts";
import { withCode } from "./words/with-code.tsx";

export const nameOf = (names: Readonly<Record<string, string>>, key: string): string => names[key] ?? key;

/** Name of a client; undefined for one that stated none. */
export const nameOfClient = (client: string): string | undefined =>
  client.startsWith("unstated/") ? undefined : client;

/** Layer by colour and name: never by colour alone. */
export const Layer = ({ layer }: { readonly layer: string }) => (
  <span className="live">
    <span className={`dot dot-${layer}`} aria-hidden="true" />
    {nameOf(text.layers, layer)}
  </span>
);

/** Link to a memory's own page, in at most two lines of its text. */
export const MemoryLink = ({ id, children }: { readonly id: number; readonly children: string }) => (
  <Link to="/memories/$id" params={{ id: String(id) }} className="clamp2 told" dir="auto">
    {withCode(children)}
  </Link>
);

interface WhenProps {
  readonly at: string | number;
  /** Shows the exact time instead of words. */
  readonly exact?: "moment" | "day";
}

/** Time in words with the exact time as a tooltip, or the other way round. */
export function When({ at, exact }: WhenProps) {
  const whole = exact === "day" ? moment(at, { dateStyle: "medium" }) : moment(at);
  const [shown, asked] = exact ? [whole, ago(at)] : [ago(at), whole];
  return (
    <Tooltip label={asked} openDelay={400}>
      <time dateTime={new Date(at).toISOString()}>{shown}</time>
    </Tooltip>
  );
}

/** Bar chart with figures, which screen readers read as a table. */
export function Bars({
  rows,
  most,
}: {
  readonly rows: readonly (readonly [string, number])[];
  readonly most?: number;
}) {
  const top = most ?? Math.max(1, ...rows.map(([, value]) => value));
  return (
    <div className="bars">
      {rows.map(([name, value]) => (
        <Bar key={name} name={name} value={value} share={value / top} />
      ))}
    </div>
  );
}

function Bar({ name, value, share }: { readonly name: string; readonly value: number; readonly share: number }) {
  return (
    <>
      <span>{name}</span>
      <svg className="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="6" rx="1" fill="var(--chest-raised)" />
        <rect width={Math.max(0, Math.min(100, share * 100))} height="6" fill="var(--mantine-primary-color-filled)" />
      </svg>
      <span className="num">{number(value, { maximumFractionDigits: 3 })}</span>
    </>
  );
}
