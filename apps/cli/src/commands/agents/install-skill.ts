import { dataDirOf } from "@chest/runtime/profile";
import { DOCUMENTS, installDocument } from "../../agents/claude/documents.ts";
import { documentOf, exitCodeOf, type Step, sayStep } from "../../agents/step.ts";
import { ownCommand } from "../../terminal/command-context.ts";

export const installSkill = ownCommand({
  meta: {
    name: "install-skill",
    description: "Install the skill and rules that tell Claude Code when to recall and what to save",
  },
  args: {
    force: { type: "boolean", alias: "f", description: "Replace also what you edited; yours is kept as .bak" },
    "dry-run": { type: "boolean", description: "Show what would happen, change nothing" },
  },
  async run(args, { env, output }) {
    const isDry = args["dry-run"] ?? false;
    const steps: Step[] = [];
    for (const document of DOCUMENTS) {
      const step = await installDocument(env, document, {
        isDry,
        dataDir: dataDirOf(env),
        isForced: args.force ?? false,
      });
      sayStep(output, step, isDry);
      steps.push(step);
    }
    output.document(documentOf(steps, isDry));
    return exitCodeOf(steps);
  },
});
