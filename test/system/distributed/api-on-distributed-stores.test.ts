/** The suite of API tests on distributed stores: on every server in it, but with the same assertions. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startPassiveDns } from '../../harness/engines/passive-dns.ts';
import { startPostgres } from '../../harness/engines/postgres.ts';
import { startRadosGateway } from '../../harness/engines/rados-gateway.ts';
import type { TestEngines } from '../../harness/server/test-stores.ts';
import { runTestShares } from '../deployment/run-test-shares.ts';

const root = join(import.meta.dirname, '../../..');
/** The others are about files of the embedded stores, and say so. */
const partThatRuns = 0.95;

test('every API test passes on PostgreSQL and S3', { timeout: 1_800_000 }, async (t) => {
  const postgres = await startPostgres(t, { settings: { max_connections: '500' } });
  const gateway = await startRadosGateway(t);
  const passiveDns = await startPassiveDns(t);
  if (!postgres || !gateway || !passiveDns) return t.skip('skipped: an engine is missing');
  const engines: TestEngines = { postgresUrl: postgres.url, s3: gateway.newOptions(), ...passiveDns };
  const files = globSync(process.env['TEST_FILES'] ?? 'test/api/**/*.test.ts', { cwd: root }).sort();
  const { tests, skipped, failures } = await runTestShares({
    files,
    processes: availableParallelism() + 1,
    sharesEach: 3,
    cwd: root,
    environment: { TEST_ENGINES: JSON.stringify(engines) },
    scope: t,
    wrap: ([command = '', ...rest]) => [command, ...rest],
  });
  const ran = tests - skipped.length;
  t.diagnostic(`${ran} of ${tests} tests in ${files.length} files ran, and ${skipped.length} were skipped`);
  for (const { title, reason } of skipped) t.diagnostic(`skipped: ${title}: ${reason}`);
  assert.equal(failures.length, 0, failures.join('\n'));
  assert.ok(ran >= tests * partThatRuns, `only ${ran} of ${tests} tests ran`);
  t.diagnostic(`${ran} passed`);
});
