import type { Env } from "@chest/runtime";
import { type ClientProfile, readClientProfile } from "@chest/runtime/profile";
import { findProgram } from "@chest/runtime/programs";
import { UsageError } from "../terminal/usage.ts";
import type { Target } from "./target.ts";

type Choice = NonNullable<ClientProfile["llm"]>;

/** Values of `--llm`. */
export const LLM_CHOICES: readonly Choice[] = ["claude-cli", "off"];

/**
 * The target with the language model that was asked for, else with the one of the last setup. Throws for a model that is
 * unknown, of a program that is not there, or for a backend, which has its own.
 */
export function withLlm(
  target: Target,
  request: string | undefined,
  { env, dataDir }: { env: Env; dataDir: string },
): Target {
  const llm = request === undefined ? readClientProfile(dataDir)?.llm : readChoice(request, target, env);
  return llm === undefined ? target : { ...target, profile: { ...target.profile, llm } };
}

function readChoice(request: string, { profile }: Target, env: Env): Choice {
  const choice = LLM_CHOICES.find((known) => known === request);
  if (choice === undefined)
    throw new UsageError(`\`--llm ${request.slice(0, 80)}\` is not known`, `use one of ${LLM_CHOICES.join(", ")}`);
  if (choice === "off") return choice;
  if (profile.mode === "remote")
    throw new UsageError(
      `\`--llm ${choice}\` is for a store on this machine, and memory is at ${profile.url}`,
      "set CHEST_LLM_PROVIDER at the backend, or add `--local`",
    );
  if (!findProgram(PROGRAM, env))
    throw new UsageError(
      `\`--llm ${choice}\` runs \`${PROGRAM}\`, which is not on the PATH`,
      "install Claude Code, or leave `--llm` out",
    );
  return choice;
}

const PROGRAM = "claude";

/** Lines that offer a language model, where one is at hand and the user has not chosen; none elsewhere. */
export function llmOffer({ profile }: Target, env: Env): readonly string[] {
  const isChosen = profile.llm !== undefined || Boolean(env.CHEST_LLM_PROVIDER);
  if (profile.mode === "remote" || isChosen || !findProgram(PROGRAM, env)) return [];
  return [
    "Claude Code's program can write down what sessions taught, with the account that it is signed in with:",
    "`chest-index setup --local --llm claude-cli` lets it, `--llm off` ends this offer",
  ];
}
