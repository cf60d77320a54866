/** Passive DNS in a place that `store.passiveDns` does not name. It is kept, and nobody sees it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../model/settings/settings.ts';
import type { EngineCheck } from '../engine/engine-check.ts';
import type { PostgresDatabase } from './postgres/database.ts';

type PassiveDns = Settings['store']['passiveDns'];

interface Where {
  readonly data: string;
  readonly store: Pick<Settings['store'], 'passiveDns'>;
}

/** One sentence for each place, with what to do. The tables must be those of this version. */
export async function findUnusedPassiveDns(
  database: PostgresDatabase,
  { data, store: { passiveDns } }: Where,
): Promise<readonly string[]> {
  const found: string[] = [];
  const report = (place: string, value: PassiveDns, nodes: string) =>
    found.push(
      `${place}, which is not shown, because store.passiveDns is ${passiveDns}: set it to ${value} on ${nodes}, or import it again (docs/scaling.md, "Passive DNS")`,
    );
  const directory = join(data, 'rrsets');
  if (passiveDns !== 'node' && hasSegments(directory))
    report(`${directory} has passive DNS`, 'node', 'this node and to other-node on the others');
  const { clickhouse, segments } = await countRrsets(database);
  if (passiveDns !== 'clickhouse' && clickhouse > 0)
    report(`ClickHouse has ${clickhouse.toLocaleString('en')} RRsets`, 'clickhouse', 'all nodes');
  if (passiveDns !== 'segments' && segments > 0)
    report(`the object store has ${segments.toLocaleString('en')} RRsets`, 'segments', 'all nodes');
  return found;
}

export async function checkUnusedPassiveDns(
  database: PostgresDatabase,
  where: Where,
): Promise<readonly EngineCheck[]> {
  const check = 'passive DNS is stored nowhere else';
  const found = await findUnusedPassiveDns(database, where);
  if (found.length === 0) return [{ check, state: 'ok', advice: '' }];
  return found.map((advice) => ({ check, state: 'warn', advice }));
}

/** By its files, so that nothing is opened that another process may have open. */
function hasSegments(directory: string): boolean {
  return existsSync(directory) && readdirSync(directory).some((file) => file.endsWith('.forward'));
}

async function countRrsets(
  database: PostgresDatabase,
): Promise<{ readonly clickhouse: number; readonly segments: number }> {
  const [row] = await database.read(
    (sql) => sql<{ clickhouse: number; segments: number }[]>`
      select coalesce((select rrsets from rrset_state where id = 1), 0)::bigint as clickhouse,
        coalesce((select sum(rrsets) from rrset_segment), 0)::bigint as segments`,
  );
  return { clickhouse: row?.clickhouse ?? 0, segments: row?.segments ?? 0 };
}
