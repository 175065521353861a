import { workerData } from "node:worker_threads";
import { readDue } from "@chest/store/lifecycle/due";
import { readingOf } from "../database/async-connection.ts";
import { Connection } from "../database/connection.ts";
import { answerMessages } from "../threads/answer-messages.ts";
import type { Message } from "./thread.ts";

const connection = new Connection((workerData as { path: string }).path, { readonly: true });
const reading = readingOf(connection);

answerMessages(connection, ({ name, asked }: Message) => readDue(reading, name, asked));
