import { z } from "zod";
import { wellFormed } from "../text/well-formed.ts";
import { isTranscriptSession } from "../transcript/entry.ts";
import { LANGUAGES } from "./block.ts";

export const sessionId = () => z.string().refine(isTranscriptSession, "is no session id: 1 to 128 of A-Za-z0-9._:-");

export const text = (most: number) => z.string().max(most).transform(wellFormed);

/** What this session was shown already, and is not shown again. */
export const shown = () => z.array(z.int().positive()).max(500).default([]);

/** The language of the last prompt. */
export const language = () => z.enum(LANGUAGES).default("en");
