import { globSync } from "node:fs";
import { basename, join } from "node:path";
import type { EvalSet } from "../eval-set.ts";
import { cosqaSets } from "./cosqa.ts";
import { cranfieldSets } from "./cranfield.ts";
import { locomoSets } from "./locomo.ts";
import { squadSets } from "./squad.ts";

/** A public collection, read in the format it is published in. */
export interface PublicCollection {
  readonly name: string;
  /** Address of the publication, and its licence. */
  readonly from: string;
  readonly licence: string;
  /** Names of the files, which may be in any subfolder of the named folder. */
  readonly files: readonly string[];
  /** @param paths of the files, in the order of their names */
  read(paths: readonly string[]): EvalSet[];
}

/** Collections that `--public` knows; the repository contains none of them. */
const COLLECTIONS: readonly PublicCollection[] = [
  {
    name: "jsquad",
    from: "https://github.com/yahoojapan/JGLUE (datasets/jsquad-v1.*)",
    licence: "CC BY-SA 4.0",
    files: ["valid-v1.*.json"],
    read: ([path = ""]) => squadSets("jsquad", "ja", path),
  },
  {
    name: "cmrc2018",
    from: "https://github.com/ymcui/cmrc2018 (squad-style-data)",
    licence: "CC BY-SA 4.0",
    files: ["cmrc2018_dev.json"],
    read: ([path = ""]) => squadSets("cmrc2018", "zh", path),
  },
  {
    name: "cosqa",
    from: "https://github.com/microsoft/CodeXGLUE (Text-Code/NL-code-search-WebQuery)",
    licence: "C-UDA 1.0",
    files: ["code_idx_map.txt", "cosqa-retrieval-test-500.json"],
    read: ([codes = "", questions = ""]) => cosqaSets(codes, questions),
  },
  {
    name: "cranfield",
    from: "http://ir.dcs.gla.ac.uk/resources/test_collections/cran",
    licence: "none is stated",
    files: ["cran.all.1400", "cran.qry", "cranqrel"],
    read: ([documents = "", questions = "", judgements = ""]) => cranfieldSets(documents, questions, judgements),
  },
  {
    name: "locomo",
    from: "https://github.com/snap-research/locomo (data)",
    licence: "CC BY-NC 4.0",
    files: ["locomo10.json"],
    read: ([path = ""]) => locomoSets(path),
  },
];

/**
 * Finds the public collections in a folder by their file names, and reads them.
 * @throws with the expected file names when no collection is complete, and with file and place when one has another
 * format
 */
export function publicSets(folder: string): EvalSet[] {
  const found = COLLECTIONS.flatMap(({ files, read }) => {
    const paths = files.map((name) =>
      globSync(join(folder, "**", name))
        .toSorted()
        .at(-1),
    );
    return paths.every((path) => path !== undefined) ? read(paths) : [];
  });
  if (found.length > 0) return found.map((set) => ({ ...set, isUntuned: true }));
  const wanted = COLLECTIONS.map(
    ({ name, files, from, licence }) => `  ${name}: ${files.join(", ")}, from ${from}; licence: ${licence}`,
  );
  throw new Error(`no public collection lies in ${basename(folder)}; it may have\n${wanted.join("\n")}`);
}
