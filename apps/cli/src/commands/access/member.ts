import type { MemberView } from "@chest/contracts";
import { DESK_FIELDS } from "@chest/core/access";
import { defineCommand } from "citty";
import { withAccessAdmin } from "../../connect/access-admin.ts";
import { readConfig } from "../../connect/config.ts";
import { COMMON, type ExitCode, REACH, type Shell } from "../../terminal/command-context.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import { someFlags } from "../../terminal/schema-flags.ts";

const NAME = { name: { type: "positional", description: "The member's name", required: true } } as const;

const ADDED = someFlags(DESK_FIELDS.addMember, {
  admin: { words: "May manage members, tokens and projects, and purge" },
});
const HANDED = someFlags(DESK_FIELDS.handOver, { confirm: { flag: "yes", words: "Do it" } });

const list = defineCommand({
  meta: { name: "list", description: "List all members, disabled ones included" },
  args: { ...COMMON, ...REACH },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const members = await withAccessAdmin(readConfig(env, args), (admin) => admin.listMembers());
    output.rows(members.map(cellsOf));
    output.document(members);
    return 0;
  },
});

const add = defineCommand({
  meta: { name: "add", description: "Add a member, let a disabled one in again, or make one an admin" },
  args: {
    ...NAME,
    ...COMMON,
    ...REACH,
    ...ADDED.args,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const input = { name: args.name, ...ADDED.read(args) };
    const member = await withAccessAdmin(readConfig(env, args), (admin) => admin.addMember(input));
    output.rows([cellsOf(member)]);
    output.document(member);
    return 0;
  },
});

const disable = defineCommand({
  meta: { name: "disable", description: "End all tokens of a member at once; its memories stay" },
  args: { ...NAME, ...COMMON, ...REACH },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const member = await withAccessAdmin(readConfig(env, args), (admin) => admin.disableMember({ name: args.name }));
    output.rows([cellsOf(member)]);
    output.document(member);
    return 0;
  },
});

const handOver = defineCommand({
  meta: {
    name: "hand-over",
    description: "Hand a disabled member's private memories to another member; without --yes, only count them",
  },
  args: {
    name: { type: "positional", description: "The member that left", required: true },
    to: { type: "positional", description: "The member that gets it", required: true },
    ...HANDED.args,
    ...COMMON,
    ...REACH,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const input = { from: args.name, to: args.to, ...HANDED.read(args) };
    const done = await withAccessAdmin(readConfig(env, args), (admin) => admin.handOver(input));
    const what = counted(done.memories, "private memory", "private memories");
    if (done.confirmed) output.say(`handed ${what} of ${done.from} to ${done.to}`);
    else output.say(`would hand ${what} of ${done.from} to ${done.to}\nnothing was done; pass --yes to do it`);
    output.document(done);
    return 0;
  },
});

export const member = defineCommand({
  meta: { name: "member", description: "Members: list, add, disable, hand over what was private" },
  args: COMMON,
  subCommands: { list, add, disable, "hand-over": handOver },
});

const cellsOf = ({ id, name, role, status }: MemberView): string[] => [`${id}`, name, role, status];
