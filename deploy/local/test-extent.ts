/**
 * Whether this run is the short one, as `npm test` is unless `CHEST_TESTS=all` is set: what is long by nature is tried
 * with fewer rounds. The nightly run takes all of it, and so does a test file that is run by its name.
 */
export const isShort = process.env.CHEST_TESTS === "short";

/** How much a short run takes, and how much every other run. */
export const inShort = <T>(short: T, whole: T): T => (isShort ? short : whole);
