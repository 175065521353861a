import { testEngine, toolsContract } from "@chest/testing";

toolsContract("memory", (options) => testEngine(options));
