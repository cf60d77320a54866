/** The API tests of passive DNS, and those with the unmodified dnsdbq, on each store of passive DNS that several nodes share. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startPassiveDns } from '../../../harness/engines/passive-dns.ts';
import { startPostgres } from '../../../harness/engines/postgres.ts';
import { startRadosGateway } from '../../../harness/engines/rados-gateway.ts';
import type { TestEngines } from '../../../harness/server/test-stores.ts';
import { fileScope } from '../../../harness/test-scope.ts';
import { runTestShares } from '../../deployment/run-test-shares.ts';

const root = join(import.meta.dirname, '../../../..');
const scope = fileScope();
const postgres = await startPostgres(scope, { settings: { max_connections: '300' } });
const gateway = await startRadosGateway(scope);
/** Few tests are about files of the embedded store. */
const skippedMax = 5;

for (const passiveDns of ['segments', 'clickhouse'] as const) {
  test(`the API of passive DNS, and dnsdbq, on ${passiveDns}`, { timeout: 900_000 }, async (t) => {
    const started = await startPassiveDns(t, passiveDns);
    if (!postgres || !gateway || !started) return t.skip('skipped: an engine is missing');
    const engines: TestEngines = { postgresUrl: postgres.url, s3: gateway.newOptions(), ...started };
    const files = globSync('test/api/pdns/*.test.ts', { cwd: root }).sort();
    const { tests, skipped, failures } = await runTestShares({
      files: ['test/system/clients/dnsdbq.test.ts', ...files],
      processes: 2,
      sharesEach: 2,
      cwd: root,
      environment: { TEST_ENGINES: JSON.stringify(engines) },
      scope: t,
      wrap: ([command = '', ...rest]) => [command, ...rest],
    });
    t.diagnostic(`${tests - skipped.length} of ${tests} tests ran`);
    for (const { title, reason } of skipped) t.diagnostic(`skipped: ${title}: ${reason}`);
    assert.equal(failures.length, 0, failures.join('\n'));
    assert.ok(tests > 0 && skipped.length <= skippedMax, `${skipped.length} of ${tests} tests were skipped`);
  });
}
