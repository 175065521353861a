import type { Caller } from "@chest/core/access";
import type { ProjectRow } from "@chest/core/ports";
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
import type { Piped } from "../database/connection.ts";
import { POSTGRES } from "../database/dialect.ts";
import type { KnownEntities } from "../memories/foresee.ts";
import { changeTextRow, dropTextRow, moveTextRows, writeText } from "../search/text-rows.ts";

const IS_OF_KEY = `p.id = ${PROJECT_OF_KEY}`;
// Reads the row as it is once the lock is obtained.
const LOCKED = `SELECT id, key, access FROM projects p WHERE ${IS_OF_KEY} FOR KEY SHARE`;
const OF_KEY = `${projectsOf(POSTGRES)} WHERE ${IS_OF_KEY}`;

/** Cached knowledge of this process that saves round trips. */
interface CachedKnowledge {
  readonly entities: Pick<KnownEntities, "note">;
  /** Reads what every call needs; undefined if the projects have changed. */
  read(connection: Piped): Promise<Places | undefined>;
}

/** Transaction of one call on its own connection. */
export class Transaction extends AnyTransaction {
  declare readonly connection: Piped;
  readonly texts: TextWrites;
  readonly #known: CachedKnowledge | undefined;
  #placesAhead: Promise<Places | undefined> | undefined;

  constructor(connection: Piped, options: TransactionOptions, known?: CachedKnowledge) {
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

  /** Sends the queries that every call needs in advance. */
  readAhead(): void {
    if (this.#known === undefined) return;
    this.#placesAhead = this.#known.read(this.connection);
    // A failure is thrown where the value is used.
    this.places().catch(() => undefined);
  }

  protected async readPlaces(): Promise<Places> {
    const ahead = this.#placesAhead;
    this.#placesAhead = undefined;
    return (await ahead) ?? readPlaces(this.connection);
  }

  /** Sends the first query of `holdProject` in advance. */
  holdAhead(key: string): void {
    this.connection.ahead(LOCKED, ...spellingsOf(key));
  }

  protected async holdProject(key: string): Promise<ProjectRow | undefined> {
    const spellings = spellingsOf(key);
    for (;;) {
      const locked = await this.connection.get<Pick<ProjectCells, "id" | "key" | "access">>(LOCKED, ...spellings);
      // An open project needs no members. For others they are read after the lock is obtained, which shows changes made
      // while waiting.
      const isOpen = locked !== undefined && spellings.includes(locked.key) && locked.access === "open";
      const known = isOpen
        ? { ...locked, member_ids: [], aliases: [] }
        : await this.connection.get<ProjectCells>(OF_KEY, ...spellings);
      // A project that was merged into another meanwhile is looked up again.
      if (locked?.id === known?.id) return known && toProject(known);
    }
  }

  protected auditSeq(): undefined {
    return undefined;
  }
}
