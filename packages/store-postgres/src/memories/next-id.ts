/** Reserves the id of the next memory, so that dependent rows need not wait for the insert. */
export const NEXT_ID = "SELECT nextval('memories_id_seq') AS id";
