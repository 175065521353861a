import { renameSync, writeFileSync } from "node:fs";
import { ChestError, type TokenView } from "@chest/contracts";
import { DESK_FIELDS } from "@chest/core/access";
import { withAccessAdmin } from "../../connect/access-admin.ts";
import { readConfig } from "../../connect/config.ts";
import { commandGroup, reachingCommand } from "../../terminal/command-context.ts";
import { someFlags } from "../../terminal/schema-flags.ts";

const FLAGS = someFlags(DESK_FIELDS.createToken, {
  member: { words: "Its member, added if new; with a member's token, yourself by default", hint: "name" },
  scopes: { words: "Some of read, write, operate, admin", hint: "scopes", usual: "read,write" },
  projects: { words: "Limit it to these projects, by key", hint: "key,…" },
  expires: { words: "`90d`, `12h`, `4w` or `never`; 90 days by default", hint: "time" },
  label: { words: "Its purpose, shown in the list", hint: "text" },
});

const create = reachingCommand({
  meta: { name: "create", description: "Create a token and show it, only once" },
  args: {
    ...FLAGS.args,
  },
  async run(args, { env, output }) {
    const made = await withAccessAdmin(readConfig(env, args), (admin) => admin.createToken(FLAGS.read(args)));
    output.show(`token ${made.id} of ${made.member}: ${made.scopes.join(", ")}; ${endOf(made)}`);
    output.say("shown only once, so save it now:");
    output.say(made.token);
    output.document(made);
  },
});

const list = reachingCommand({
  meta: { name: "list", description: "List the tokens, without their secrets" },
  args: { all: { type: "boolean", description: "Include revoked ones" } },
  async run(args, { env, output }) {
    const tokens = await withAccessAdmin(readConfig(env, args), (admin) =>
      admin.listTokens({ all: String(args.all === true) }),
    );
    if (tokens.length === 0) output.say("there are no tokens besides the shared one");
    output.rows(tokens.map(cellsOf));
    output.document(tokens);
  },
});

const renew = reachingCommand({
  meta: {
    name: "renew",
    description: "Renew the token of this machine while it is valid: its file then holds the new one",
  },
  async run(args, { env, output }) {
    const config = readConfig(env, args);
    const { remote } = config;
    const id = remote?.token === undefined ? undefined : /^cht_([1-9]\d*)_/.exec(remote.token)?.[1];
    if (!remote || id === undefined) {
      throw new ChestError("INVALID_INPUT", "this machine uses no member's token, which alone can be renewed", {
        hint: "an admin makes one: `chest-index token create --member NAME`",
      });
    }
    const made = await withAccessAdmin(config, (admin) => admin.renewToken({ id }));
    if (remote.tokenFile === undefined) output.say("shown only once, so put it where the old one is:");
    else writeToken(remote.tokenFile, made.token);
    output.show(`token ${made.id} of ${made.member}: ${made.scopes.join(", ")}; ${endOf(made)}`);
    if (remote.tokenFile === undefined) output.say(made.token);
    else output.say(`\`${remote.tokenFile}\` holds it; running agents take it at their next start`);
    output.document(
      remote.tokenFile === undefined ? made : { ...made, token: undefined, token_file: remote.tokenFile },
    );
  },
});

/** Writes the token file atomically, readable by this account only. */
function writeToken(file: string, token: string): void {
  const unfinished = `${file}.${process.pid}.part`;
  writeFileSync(unfinished, `${token}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, file);
}

const revoke = reachingCommand({
  meta: { name: "revoke", description: "Revoke a token, and all created with it, at once" },
  args: { id: { type: "positional", description: "As `token list` shows it", required: true } },
  async run(args, { env, output }) {
    const revoked = await withAccessAdmin(readConfig(env, args), (admin) => admin.revokeToken({ id: args.id }));
    output.say(`revoked ${revoked.id} at ${revoked.revoked_at}`);
    output.document(revoked);
  },
});

export const token = commandGroup({
  meta: { name: "token", description: "Tokens of members: make, list, renew, revoke" },
  subCommands: { create, list, renew, revoke },
});

const endOf = ({ expires_at }: Pick<TokenView, "expires_at">): string =>
  expires_at === null ? "never expires" : `until ${expires_at}`;

function cellsOf(token: TokenView): string[] {
  const { id, member, label, scopes, projects, revoked_at, last_used_at } = token;
  const state = revoked_at === null ? endOf(token) : `revoked ${revoked_at}`;
  const used = last_used_at === null ? "never used" : `used ${last_used_at}`;
  return [`${id}`, member, scopes.join(","), projects?.join(",") ?? "", label ?? "", state, used];
}
