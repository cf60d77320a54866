/** Generates ids of ten random letters and digits, and retries in the rare case of a collision. */
import { newId } from '../../../model/account/api-key.ts';
import type { Database } from '../database.ts';

export function uniqueIds(
  database: Database,
  table:
    | 'monitor'
    | 'domain'
    | 'escalation'
    | 'subscription'
    | 'decision'
    | 'note'
    | 'suggestion_answer'
    | 'campaign',
): () => string {
  const used = database.prepare(`select 1 from ${table} where id = ?`);
  return () => {
    for (;;) {
      const id = newId();
      if (!used.get(id)) return id;
    }
  };
}
