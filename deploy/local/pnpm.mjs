import { runChild } from "./child.mjs";
import { pnpmEnvironment } from "./registry.mjs";

/** Counts packages, and tells how many are there. */
export function counter(progress) {
  let count = 0;
  return () => {
    count += 1;
    progress.tell(`${count} packages are there`);
  };
}

/** Counts packages by what pnpm says of them. */
export function packageCounter(progress) {
  const count = counter(progress);
  return (line) => {
    if (/"status":"(?:fetched|found_in_store)"/.test(line)) count();
  };
}

/** Runs one installation to its end; its output is reduced to pnpm's errors. */
export async function runPnpm(command, args, { cwd, env, onLine }) {
  const ended = await runChild(command, [...args, "--frozen-lockfile", "--reporter=ndjson"], {
    quiet: true,
    cwd,
    env: { ...(await pnpmEnvironment()), ...env },
    shell: process.platform === "win32",
    onLine,
  });
  return { ...ended, output: errorsIn(ended.output) };
}

function errorsIn(output) {
  const isEvent = (line) => line.startsWith("{");
  const errors = output.split("\n").flatMap((line) => {
    if (!isEvent(line)) return line.trim() === "" ? [] : [line];
    const { level, message, err } = JSON.parse(line);
    return level === "error" ? [message ?? err?.message ?? line] : [];
  });
  return errors.join("\n");
}
