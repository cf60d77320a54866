/** What an error of PostgreSQL or of the connection to it means for the one who asked. */
import { Problem } from '../../../model/problem.ts';

/** The server is away, is starting or stopping, or is a replica: another attempt may reach the one that answers. */
const away = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  '25006', // read_only_sql_transaction: a replica, or a primary that has become one
  '53300', // too_many_connections
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
]);

/** Two transactions were in each other's way; one of them was undone and succeeds when it is repeated. */
const conflicts = new Set(['40001', '40P01']);

export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** The driver has no codes for its own errors. */
const lostMessages =
  /^(?:Connection terminated|Client (?:was closed|has encountered)|timeout e|Cannot use a pool after)/;

export function isAway(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== '') return away.has(code) || code.startsWith('08');
  return error instanceof Error && lostMessages.test(error.message);
}

export function isConflict(error: unknown): boolean {
  return conflicts.has(codeOf(error));
}

/** A unique key is in use already: of this constraint, or of any. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== '23505') return false;
  return constraint === undefined || (error as { readonly constraint?: string }).constraint === constraint;
}

/** For a caller who can do nothing but ask again. */
export function tryAgain(engine: string, cause: unknown): Problem {
  return new Problem('try-again', `${engine} does not answer at the moment; try again`, { cause });
}
