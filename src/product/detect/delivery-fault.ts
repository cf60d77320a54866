/** Why a delivery failed, as stored and shown. Text from third parties is escaped and truncated. */
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { Problem } from '../../model/problem.ts';

const charactersMax = 300;

/** Expected failures only; other errors are rethrown. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Problem)) throw error;
  return escapeForTerminal(error.message).slice(0, charactersMax);
}
