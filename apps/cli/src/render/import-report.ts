import type { ImportReport } from "@chest/core";

interface About {
  readonly format: string;
  readonly file: string;
  readonly isDry: boolean;
}

/** Renders the outcome of an import. */
export function linesOf(report: ImportReport, { format, file, isDry, into }: About & { into: string }): string[] {
  const { memories, entities, links, edits, vectors, keptIds, left } = report;
  const ids = memories.inserted === 0 ? "" : keptIds ? ", with their ids" : ", with new ids";
  return [
    `${isDry ? "would import" : "imported"} ${format} from ${file} into ${into}`,
    `memories: ${memories.inserted} ${isDry ? "to come in" : "came in"}${ids}; ${memories.unchanged} were there; ${memories.left} left`,
    `entities: ${entities.inserted} new, ${entities.known} known; links: ${links}; file edits: ${edits}`,
    ...(vectors.kept + vectors.dropped > 0
      ? [`vectors: ${vectors.kept} kept, ${vectors.dropped} to be made again`]
      : []),
    ...left.map(({ what, reason, count, refs }) => {
      const which = refs.length < count ? `${refs.join(", ")}, …` : refs.join(", ");
      return `left ${count} ${what}${count === 1 ? "" : "s"}: ${reason} (${which})`;
    }),
  ];
}

export const documentOf = (report: ImportReport, { format, file, isDry }: About) => ({
  dry_run: isDry,
  from: format,
  file,
  memories: report.memories,
  entities: report.entities,
  links: report.links,
  edits: report.edits,
  work: report.work,
  vectors: report.vectors,
  kept_ids: report.keptIds,
  left: report.left.map(({ isByDesign, ...group }) => ({ ...group, by_design: isByDesign })),
});
