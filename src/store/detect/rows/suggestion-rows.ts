/** Rows of decided domains and of answers to suggestions, as both kinds of databases have them. */
import type { DecidedDomain, SuggestionAnswer } from '../../../model/detect/suggestion.ts';
import type { SharedFacts } from '../../../model/detect/watchlist.ts';
import type { DecidedPage } from '../suggestion-store.ts';
import { parsed, type StoredJson } from './stored-json.ts';

export interface DecidedRow {
  readonly number: number;
  readonly domain: string;
  readonly state: DecidedDomain['state'];
  readonly discovered_ms: number;
  readonly escalated_ms: number | null;
  readonly name_servers: StoredJson<readonly string[]>;
  readonly shared: StoredJson<Partial<Pick<SharedFacts, 'registrar'>>> | null;
  readonly matches: StoredJson<DecidedDomain['matches']>;
}

/** A row after which a page begins. */
export interface RowPosition {
  readonly discoveredMs: number;
  readonly number: number;
}

/** Later than every row. */
const beginning: RowPosition = { discoveredMs: Number.MAX_SAFE_INTEGER, number: Number.MAX_SAFE_INTEGER };

export function rowPosition(after: string | undefined): RowPosition {
  if (after === undefined) return beginning;
  const [discoveredMs = 0, number = 0] = after.split(' ').map(Number);
  return { discoveredMs, number };
}

export function decidedPage(rows: readonly DecidedRow[], limit: number): DecidedPage {
  const last = rows.at(-1);
  return {
    domains: rows.map(decidedOf),
    next: last && rows.length === limit ? `${last.discovered_ms} ${last.number}` : undefined,
  };
}

function decidedOf(row: DecidedRow): DecidedDomain {
  return {
    domain: row.domain,
    state: row.state,
    isEscalated: row.escalated_ms !== null,
    nameServers: parsed(row.name_servers),
    registrar: (row.shared === null ? undefined : parsed(row.shared).registrar) ?? '',
    matches: parsed(row.matches),
  };
}

export interface AnswerRow extends Omit<SuggestionAnswer, 'undone'> {
  readonly undoneBy: string | null;
  readonly undoneMs: number | null;
}

export function answerOf({ undoneBy, undoneMs, ...answer }: AnswerRow): SuggestionAnswer {
  const isUndone = undoneBy !== null && undoneMs !== null;
  return { ...answer, undone: isUndone ? { by: undoneBy, atMs: undoneMs } : undefined };
}
