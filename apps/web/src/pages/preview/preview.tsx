import { Button, Group, Select, Textarea, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type Preview, queries } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Layer, MemoryLink, nameOf } from "../../parts/memory-bits.tsx";
import { MemoryPicker } from "../../parts/memory-picker.tsx";
import { Answer, Form, Nothing, Page } from "../../parts/page.tsx";
import { projectChoices } from "../../parts/project-names.tsx";
import { useVerdictKeys, VerdictButtons } from "../../parts/verdict.tsx";
import { memberOption } from "../../parts/words/member-name.ts";
import { nameIn } from "../../parts/words/own-title.ts";

type Block = Preview["blocks"][number];
type Line = Block["lines"][number];

/** Everything that hooks would give an agent, for a prompt, a project and a member, each line with its reason. */
export function PreviewPage() {
  const asked = useSearch({ from: "/preview" });
  const [whyNot, setWhyNot] = useState<number>();
  const { data: me } = useQuery(queries.whoami());
  const found = useQuery(queries.preview({ ...asked, ...(whyNot === undefined ? {} : { memory_id: whyNot }) }));
  const mayJudge = me?.scopes.includes("write") ?? false;
  useVerdictKeys(mayJudge);
  return (
    <Page title={text.preview.title} lead={text.preview.lead}>
      <Question key={JSON.stringify(asked)} isAdmin={me?.scopes.includes("admin") ?? false} />
      <Answer of={found}>
        {({ blocks, is_worth_asking: isWorth, why_not: reason }) => (
          <div className="preview">
            {blocks
              .filter(({ moment }) => moment === "prompt")
              .map((block) => (
                <BlockPart key={block.moment} block={block} mayJudge={mayJudge} isPassedOver={!isWorth} />
              ))}
            <section className="why-not" aria-label={text.preview.whyNot}>
              <MemoryPicker label={text.preview.whyNot} value={whyNot} onChange={setWhyNot} />
              {reason && reason.memory_id === whyNot && (
                <p role="status">
                  {nameOf(text.preview.why, reason.why)}{" "}
                  {reason.better !== undefined && (
                    <Link to="/memories/$id" params={{ id: String(reason.better) }}>
                      #{reason.better}
                    </Link>
                  )}
                </p>
              )}
            </section>
            {blocks
              .filter(({ moment }) => moment === "start")
              .map((block) => (
                <BlockPart key={block.moment} block={block} mayJudge={mayJudge} isPassedOver={false} />
              ))}
          </div>
        )}
      </Answer>
    </Page>
  );
}

function Question({ isAdmin }: { readonly isAdmin: boolean }) {
  const asked = useSearch({ from: "/preview" });
  const navigate = useNavigate({ from: "/preview" });
  const [prompt, setPrompt] = useState(asked.prompt ?? "");
  const { data: known } = useQuery(queries.projects());
  const { data: people } = useQuery({ ...queries.members(), enabled: isAdmin });
  const ask = (part: { readonly project?: string | null; readonly member?: string | null } = {}) => {
    const next = { ...asked, prompt: prompt.trim(), ...part };
    void navigate({ search: Object.fromEntries(Object.entries(next).filter(([, value]) => value)), replace: true });
  };
  return (
    <Form className="preview-form" onSubmit={() => ask()}>
      <Textarea
        label={text.preview.prompt}
        placeholder={text.preview.promptHint}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={8000}
        value={prompt}
        onChange={({ currentTarget }) => setPrompt(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) ask();
        }}
        dir="auto"
      />
      <Group gap="xs" align="end">
        <Select
          size="xs"
          label={text.memory.project}
          placeholder={text.common.none}
          searchable
          clearable
          data={projectChoices(known?.projects)}
          value={asked.project ?? null}
          onChange={(project) => ask({ project })}
        />
        {isAdmin && (
          <Select
            size="xs"
            label={`${text.preview.member} (${text.preview.memberHint})`}
            placeholder={text.preview.self}
            searchable
            clearable
            data={people?.members.map(({ name }) => memberOption(name)) ?? []}
            value={asked.member ?? null}
            onChange={(member) => ask({ member })}
          />
        )}
        <Button size="xs" type="submit">
          {text.preview.show}
        </Button>
      </Group>
    </Form>
  );
}

interface BlockPartProps {
  readonly block: Block;
  readonly mayJudge: boolean;
  /** The hook asks nothing beside this prompt. */
  readonly isPassedOver: boolean;
}

function BlockPart({ block: { moment, text: said, tokens, lines }, mayJudge, isPassedOver }: BlockPartProps) {
  return (
    <section className="day" aria-label={nameOf(text.preview.moments, moment)}>
      <Group justify="space-between" className="day-name">
        <Title order={2}>{nameOf(text.preview.moments, moment)}</Title>
        {tokens > 0 && <span className="score">{text.replay.tokens(number(tokens))}</span>}
      </Group>
      {said === "" ? (
        <Nothing>{moment === "prompt" && isPassedOver ? text.preview.saysLittle : text.preview.nothing}</Nothing>
      ) : (
        <>
          <ul className="plain-list">
            {lines.map((line) => (
              <LineRow key={`${line.memory?.id} ${line.text}`} line={line} mayJudge={mayJudge} />
            ))}
          </ul>
          <details className="exact">
            <summary>{text.preview.exact}</summary>
            <pre className="stored card said">{said}</pre>
          </details>
        </>
      )}
    </section>
  );
}

const percent = (share: number): string => number(share, { style: "percent", maximumFractionDigits: 0 });

const LineRow = ({
  line: { text: said, tokens, reason, memory },
  mayJudge,
}: {
  readonly line: Line;
  readonly mayJudge: boolean;
}) => (
  <li className="told-row" data-memory={memory?.id}>
    <div>
      {memory ? (
        <MemoryLink id={memory.id}>{nameIn(memory)}</MemoryLink>
      ) : (
        <span className="clamp2" dir="auto">
          {said.replace(/^- /, "")}
        </span>
      )}
      <span className="meta">
        {memory && <Layer layer={memory.layer} />}
        <span>{nameOf(text.preview.reasons, reason.kind)}</span>
        {reason.words !== undefined && <span>{text.preview.words(percent(reason.words))}</span>}
        {reason.meaning !== undefined && (
          <span>{text.preview.meaning(number(reason.meaning, { maximumFractionDigits: 2 }))}</span>
        )}
        <span>{text.replay.tokens(number(tokens))}</span>
      </span>
    </div>
    {memory && mayJudge && <VerdictButtons id={memory.id} />}
  </li>
);
