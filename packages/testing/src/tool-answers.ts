/** The tools' answers as far as tests read them; everything else is held against the output schemas. */
interface ToolAnswer {
  readonly [key: string]: unknown;
}

export interface Remembered extends ToolAnswer {
  readonly memory_id: number;
  readonly entity_id: number;
  readonly momentum: { readonly score: number; readonly band: string };
}

export interface Item extends ToolAnswer {
  readonly id: number;
  readonly entity: { readonly id: number; readonly name: string; readonly kind: string; readonly momentum: number };
  readonly layer: string;
  readonly content: string;
  readonly importance: number;
  readonly heat: number;
  readonly composite: number;
  readonly match_reasons: readonly string[];
  readonly score_breakdown: Readonly<Record<string, number>>;
}

export interface Recalled extends ToolAnswer {
  readonly warnings?: readonly { readonly reason: string; readonly message: string }[];
  readonly count: number;
  readonly total_candidates: number;
  readonly has_more: boolean;
  readonly next_cursor?: string;
  readonly between?: unknown;
  readonly not_returned?: readonly { readonly id: number; readonly reason: string }[];
  readonly memories: readonly Item[];
}

export interface Updated extends ToolAnswer {
  readonly updated_fields: readonly string[];
  readonly version: number;
}

export interface Listed extends ToolAnswer {
  readonly total: number;
  readonly has_more: boolean;
  readonly entities: readonly {
    readonly id: number;
    readonly name: string;
    readonly canonical_key: string | null;
    readonly momentum: number;
    readonly memory_count: number;
    readonly last_memory_access: string | null;
    readonly layer_breakdown: Readonly<Record<string, number>>;
  }[];
}

export interface Inspected extends ToolAnswer {
  readonly total: number;
  readonly items: readonly ToolAnswer[];
}

export interface Forgotten extends ToolAnswer {
  readonly memory_id: number;
}
