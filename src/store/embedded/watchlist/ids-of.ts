/** Ten random letters and digits collide once in a very long while, and then another ten are taken. */
import { newId } from '../../../model/api-key.ts';
import type { Database } from '../database.ts';

export function idsOf(
  database: Database,
  table: 'monitor' | 'domain' | 'escalation' | 'subscription',
): () => string {
  const used = database.prepare(`select 1 from ${table} where id = ?`);
  return () => {
    for (;;) {
      const id = newId();
      if (!used.get(id)) return id;
    }
  };
}
