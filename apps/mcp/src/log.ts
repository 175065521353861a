const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: 100 } as const;

export type Level = keyof typeof LEVELS;
export const LEVEL_NAMES = Object.keys(LEVELS) as [Level, ...Level[]];

type Write = (fields: Readonly<Record<string, unknown>>, message: string) => void;

export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

/** JSON lines as pino writes them, without the time that loading pino takes from every start of an agent. */
export function openLog(level: Level, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const at =
    (name: Level): Write =>
    (fields, message) => {
      if (LEVELS[name] < LEVELS[level]) return;
      const line = { level: LEVELS[name], time: Date.now(), name: "chest-memory", ...fields, msg: message };
      write(`${JSON.stringify(line, readError)}\n`);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

const readError = (_key: string, value: unknown): unknown =>
  value instanceof Error ? { type: value.name, message: value.message, stack: value.stack } : value;
