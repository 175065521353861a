import { parseArgs } from "node:util";
import { setup } from "../../support/built.ts";
import { inParallel } from "../../support/in-parallel.ts";
import { OWN_CORPUS, readCorpus } from "./corpus.ts";
import { figuresOf, printFigures } from "./figures.ts";
import { type PlayedRepository, playRepository } from "./play.ts";

const USAGE = `usage: npm run eval -- day [options]

  --corpus DIR  a folder of labelled sessions in the form of e2e/eval/day/corpus, instead of that one
  --only SLUG   only this repository of it; may be repeated
  --details     also each memory, lesson, failure and next step, and what became of it
  --json        everything as JSON`;

/** Plays days of labelled sessions through the built programs, and prints the results. */
export async function evaluateDays(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      corpus: { type: "string" },
      only: { type: "string", multiple: true, default: [] },
      details: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.error(USAGE);
  const repositories = readCorpus(values.corpus ?? OWN_CORPUS, values.only);
  await setup();
  const played = await inParallel(repositories, 2, async (repository) => {
    const result = await playRepository(repository);
    console.error(`chest: played ${repository.slug}: ${result.rows.length} memories, ${result.noted} notes`);
    return result;
  });
  const figures = figuresOf(played);
  if (values.json) return console.log(JSON.stringify({ figures, played }, null, 2));
  if (values.details) for (const each of played) console.log(detailsOf(each));
  console.log(printFigures(figures));
  if (figures.wrongRules.length > 0) console.log(`\n${figures.wrongRules.map((each) => oneLine(each)).join("\n")}`);
}

const oneLine = (text: string, most = 220): string => text.replace(/\s+/g, " ").slice(0, most);

function detailsOf({ slug, rows, lessons, shown, again, later, steps, prompts, recalls }: PlayedRepository): string {
  const mark = (isGood: boolean) => (isGood ? "+" : "-");
  const of = (title: string, lines: readonly string[]) => [`## ${slug}: ${title}`, ...lines, ""];
  return [
    ...of(
      "memories",
      rows.map(({ rule, lessons: of, isRepair, noise, content }) => {
        const label = of.length > 0 ? of.join(" ") : isRepair ? "repair" : noise.join(", ") || "no label";
        return `${mark(of.length > 0 || isRepair)} ${rule} [${label}] ${oneLine(content)}`;
      }),
    ),
    ...of(
      "lessons (kept, first, in three)",
      lessons.map(
        ({ lesson, isKept, isFirst, isInThree }) =>
          `${mark(isKept)}${mark(isFirst)}${mark(isInThree)} ${lesson.id} ${lesson.said_by} ${oneLine(lesson.sentence)}`,
      ),
    ),
    ...of(
      "shown unasked (of its lines, those that help)",
      shown.map(
        ({ event, session, line, lines, usefulLines, text }) =>
          `${usefulLines} of ${lines} ${event} ${session}:${line} ${oneLine(text, 400)}`,
      ),
    ),
    ...of(
      "failures",
      [...again, ...later].map(({ id, isHelped, text }) => `${mark(isHelped)} ${id} ${oneLine(text)}`),
    ),
    ...of(
      "next steps",
      steps.map(
        ({ session, form, items, text }) => `${items.map(mark).join("")} ${session} ${form}: ${oneLine(text, 400)}`,
      ),
    ),
    ...of(
      "prompts",
      prompts.map(({ id, isHelped, text }) => `${mark(isHelped)} ${id} ${oneLine(text)}`),
    ),
    ...of(
      "default recall",
      recalls.map(
        ({ question, rows: n, tokens, right, isFirst }) =>
          `${mark(isFirst)} ${n} rows, ${tokens} tokens, ${right.toFixed(2)} right: ${question}`,
      ),
    ),
  ].join("\n");
}
