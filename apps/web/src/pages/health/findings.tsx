import { Title } from "@mantine/core";
import type { Get } from "../../api/queries.ts";
import { ago, bytes, text } from "../../i18n/index.ts";
import { CopyCode } from "../../parts/copy-code.tsx";

type Finding = NonNullable<Get<"/diagnostics/host">["findings"]>[number];

/** Colour of each severity's mark, the worst first. */
const MARKS: Readonly<Record<string, string>> = { fail: "dot dot-realize", warn: "dot dot-emotion", note: "dot" };

/** Judgements of the backend on itself that a person can act on, worst first, each with what mends it. */
export function Findings({ of: all = [] }: { readonly of: readonly Finding[] | undefined }) {
  const said = new Map(all.map((finding) => [sentenceOf(finding), finding]));
  const shown = Object.keys(MARKS).flatMap((severity) => [...said].filter(([, { status }]) => status === severity));
  return (
    <>
      <Title order={2} mb="xs">
        {text.health.findings}
      </Title>
      {shown.length === 0 ? (
        <p>{text.health.fine}</p>
      ) : (
        <ul className="findings">
          {shown.map(([sentence, { status, mend }]) => (
            <li key={sentence} className="card">
              <span className={MARKS[status]} aria-hidden="true" />
              <span>{sentence}</span>
              {mend?.commands && <CopyCode>{commandOf(mend.by, mend.commands)}</CopyCode>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const commandOf = (by: string, commands: readonly string[]): string =>
  commands.map((command) => (by === "shell" ? command : `chest-index ${command}`)).join(" && ");

const SIZES = ["free", "log"];
const TIMES = ["newest", "last", "since"];

/** A judgement in the reader's language, or in the backend's words if this page does not know it. */
function sentenceOf({ code, message, values = {} }: Finding): string {
  const wording = code === undefined ? undefined : text.health.finding[code];
  if (!wording) return message;
  const readable = Object.entries(values).map(([name, value]) => {
    if (SIZES.includes(name)) return [name, bytes(Number(value))];
    return [name, TIMES.includes(name) ? ago(value) : value];
  });
  return wording(Object.fromEntries(readable));
}
