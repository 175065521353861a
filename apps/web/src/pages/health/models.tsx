import { Button, Code, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { answer, chest } from "../../api/client.ts";
import { type Get, queries } from "../../api/queries.ts";
import { bytes, text } from "../../i18n/index.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { nameOf } from "../../parts/memory-bits.tsx";
import { Answer } from "../../parts/page.tsx";
import { useSending } from "../../parts/use-change.ts";

type Model = Get<"/api/models">["models"][number];

/** Models that this backend may run: fetched from here, with progress, or why not. */
export function Models() {
  const query = useQuery(queries.models());
  const host = useQuery(queries.host()).data;
  const isOff = host !== undefined && host.config.model === undefined;
  return (
    <>
      <Title order={2} mt="xl" mb="xs">
        {text.models.title}
      </Title>
      <Answer of={query}>
        {({ can_run: canRun, models }) => (
          <ul className="findings">
            {models.map((model) => (
              <li key={model.id} className="card model">
                <span className={`dot ${DOTS[model.state]}`} aria-hidden="true" />
                <div>
                  <b className="break">{model.id}</b>{" "}
                  <span className="lead">
                    {nameOf(text.models.uses, model.use)} · {nameOf(text.models.states, model.state)}
                  </span>
                  <State model={model} canRun={canRun} isOff={isOff} />
                </div>
                {model.state !== "here" && canRun && <Fetch model={model} />}
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </>
  );
}

const DOTS: Readonly<Record<Model["state"], string>> = {
  here: "dot-learning",
  missing: "",
  fetching: "dot-implementation",
  failed: "dot-realize",
};

/** @param isOff Embedding is switched off on this backend. */
function State({ model, canRun, isOff }: { readonly model: Model; readonly canRun: boolean; readonly isOff: boolean }) {
  const { id, state, is_configured: isConfigured, received_bytes: received, total_bytes: total, trouble } = model;
  if (state === "fetching") {
    return (
      <div className="progress">
        <progress aria-label={text.models.states.fetching} value={received} max={total ?? undefined} />
        <span className="lead">
          {total === null ? bytes(received) : text.models.received(bytes(received), bytes(total))}
        </span>
      </div>
    );
  }
  return (
    <div className="lead">
      {trouble && (
        <p role="alert">
          {trouble.message}
          {trouble.hint !== null && ` (${trouble.hint})`}
        </p>
      )}
      {!canRun && (
        <p>
          {text.models.cannotRun} <Code>chest-index fetch-model</Code>
        </p>
      )}
      {!isConfigured && (
        <p>
          {isOff ? text.models.off : text.models.notUsed} <Code>CHEST_EMBED_MODEL={id}</Code>{" "}
          {!isOff && <Code>chest-index reembed --model {id}</Code>}
        </p>
      )}
    </div>
  );
}

/** Asks first: it is some hundred megabytes. */
function Fetch({ model: { id, state, total_bytes: total } }: { readonly model: Model }) {
  const begin = useSending(() => answer(chest.POST("/api/models", { body: { model: id } })), ["health", "models"]);
  if (state === "fetching") return null;
  return (
    <Confirm
      title={text.models.fetch}
      isHarmless
      question={text.models.fetchSure(id, total === null ? undefined : bytes(total))}
      onYes={() => begin.mutate()}
    >
      {(open) => (
        <Button
          size="compact-sm"
          variant="default"
          loading={begin.isPending}
          onClick={open}
          aria-label={`${text.models.fetch} ${id}`}
        >
          {text.models.fetch}
        </Button>
      )}
    </Confirm>
  );
}
