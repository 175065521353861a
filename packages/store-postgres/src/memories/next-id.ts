/** Takes the id of the next memory before it is stored, so that what is written with it does not wait for it. */
export const NEXT_ID = "SELECT nextval('memories_id_seq') AS id";
