import { argv, env } from "node:process";
import { run } from "./run.ts";

void run(argv[2] ?? "", env, argv[3]);
