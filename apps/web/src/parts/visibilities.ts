/** Readers of a memory, from few to many. */
export const VISIBILITIES = ["private", "project", "team"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** The narrowest for what is none of them. */
export const readVisibility = (given: string): Visibility => VISIBILITIES.find((each) => each === given) ?? "private";
