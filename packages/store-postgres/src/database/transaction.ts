import type { Caller, ProjectRow } from "@chest/core";
import {
  type Places,
  PROJECT_OF_KEY,
  type ProjectCells,
  projectsOf,
  readPlaces,
  spellingsOf,
  toProject,
} from "@chest/store/database/places";
import {
  Transaction as AnyTransaction,
  type TextWrites,
  type TransactionOptions,
} from "@chest/store/database/transaction";
import type { KnownEntities } from "../memories/foresee.ts";
import { changeTextRow, dropTextRow, moveTextRows, writeText } from "../search/text-rows.ts";
import type { Piped } from "./connection.ts";
import { POSTGRES } from "./dialect.ts";

const IS_OF_KEY = `p.id = ${PROJECT_OF_KEY}`;
// The row as of when the lock is had, whatever it was when the statement began.
const LOCKED = `SELECT id, key, access FROM projects p WHERE ${IS_OF_KEY} FOR KEY SHARE`;
const OF_KEY = `${projectsOf(POSTGRES)} WHERE ${IS_OF_KEY}`;

/** Knowledge of this process that saves a transaction trips. */
interface Known {
  readonly entities: Pick<KnownEntities, "note">;
  /** Reads in a transaction what every call needs to know; undefined for projects that were changed meanwhile. */
  read(connection: Piped): Promise<Places | undefined>;
}

/** One call's transaction on a connection of its own, among those of other calls and other backends. */
export class Transaction extends AnyTransaction {
  declare readonly connection: Piped;
  readonly texts: TextWrites;
  readonly #known: Known | undefined;
  #placesAhead: Promise<Places | undefined> | undefined;

  constructor(connection: Piped, options: TransactionOptions, known?: Known) {
    super(connection, options);
    this.#known = known;
    this.texts = {
      write: (memory, text, options) => writeText(this, memory, text, options),
      change: (id, change) => changeTextRow(this, id, change),
      move: (rows) => moveTextRows(this, rows),
      drop: (id) => dropTextRow(this, id),
    };
  }

  as(caller: Caller): Transaction {
    return new Transaction(this.connection, this.optionsAs(caller));
  }

  override noteEntity(place: readonly string[], id: number): void {
    this.#known?.entities.note(place, id);
  }

  /** Reads ahead what every call needs to know of the store. */
  readAhead(): void {
    if (this.#known === undefined) return;
    this.#placesAhead = this.#known.read(this.connection);
    // The one that is asked for later is told of a failure.
    this.places().catch(() => undefined);
  }

  protected async readPlaces(): Promise<Places> {
    const ahead = this.#placesAhead;
    this.#placesAhead = undefined;
    return (await ahead) ?? readPlaces(this.connection);
  }

  /** Sends ahead what `holdProject` asks for first. */
  holdAhead(key: string): void {
    this.connection.ahead(LOCKED, ...spellingsOf(key));
  }

  protected async holdProject(key: string): Promise<ProjectRow | undefined> {
    const spellings = spellingsOf(key);
    for (;;) {
      const locked = await this.connection.get<Pick<ProjectCells, "id" | "key" | "access">>(LOCKED, ...spellings);
      // An open one takes anybody, so its members need not be read. Those of others are read behind the lock, which shows what
      // was changed while it was waited for.
      const isOpen = locked !== undefined && spellings.includes(locked.key) && locked.access === "open";
      const known = isOpen
        ? { ...locked, member_ids: [], aliases: [] }
        : await this.connection.get<ProjectCells>(OF_KEY, ...spellings);
      // One that was merged into another meanwhile is looked for again.
      if (locked?.id === known?.id) return known && toProject(known);
    }
  }

  protected auditSeq(): undefined {
    return undefined;
  }
}
