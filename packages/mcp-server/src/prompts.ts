import { GetPromptRequestSchema, ListPromptsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { PROMPTS, type Prompt } from "./prompt-list.ts";
import { type Answering, invalidParams, onRequest } from "./requests.ts";

/** Prompts that a person picks: each becomes one message. */
export function addPrompts(server: Answering): void {
  onRequest(server, ListPromptsRequestSchema, () => ({ prompts: PROMPTS.map(describe) }));
  onRequest(server, GetPromptRequestSchema, ({ params }) => {
    const prompt = PROMPTS.find(({ name }) => name === params.name);
    if (!prompt) throw invalidParams(`there is no prompt \`${params.name.slice(0, 100)}\``);
    const given = params.arguments ?? {};
    const missing = prompt.arguments.filter(({ name, isRequired }) => isRequired && !given[name]?.trim());
    if (missing.length > 0) {
      const names = missing.map(({ name }) => `\`${name}\``).join(", ");
      throw invalidParams(`${prompt.name} needs ${names}`);
    }
    for (const { name, takes } of prompt.arguments) {
      const value = given[name]?.trim();
      if (takes && value && !takes.shape.test(value))
        throw invalidParams(`${prompt.name}: \`${name}\` is not ${takes.what}`);
    }
    const text = prompt.ask((name) => given[name]?.trim() || undefined);
    return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] };
  });
}

const describe = ({ name, title, description, arguments: args }: Prompt) => ({
  name,
  title,
  description,
  arguments: args.map((arg) => ({ name: arg.name, description: arg.description, required: arg.isRequired })),
});
