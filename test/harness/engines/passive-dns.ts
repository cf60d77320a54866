/** Where test servers on distributed stores have passive DNS: `TEST_PASSIVE_DNS` is `segments`, as by default, `clickhouse` or `node`. */
import type { TestContext } from 'node:test';
import type { TestEngines } from '../server/test-stores.ts';
import { startClickHouse } from './clickhouse.ts';

type PassiveDns = Pick<TestEngines, 'passiveDns' | 'clickhouseUrl'>;

/** Undefined where the software is missing. */
export async function startPassiveDns(
  t: TestContext,
  chosen = process.env['TEST_PASSIVE_DNS'] ?? 'segments',
): Promise<PassiveDns | undefined> {
  if (chosen === 'segments') return { passiveDns: 'segments' };
  if (chosen === 'node') return {};
  if (chosen !== 'clickhouse') throw new Error(`TEST_PASSIVE_DNS is ${chosen}`);
  const server = await startClickHouse(t);
  return server && { passiveDns: 'clickhouse', clickhouseUrl: server.url };
}
