import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { Mutex } from '../../../src/concurrency/mutex.ts';
import { fillSharedFacts } from '../../../src/pipeline/discovery/fill-shared-facts.ts';
import { discoveryWorld, monitor } from '../../harness/fixtures/discovery-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

test('domains of earlier versions get the values of their records, and those without a record none', async (t) => {
  const directory = temporaryDirectory(t);
  const world = discoveryWorld(t, directory);
  await monitor(world, 'account', 'quartzpay');
  await world.write({ domain: 'quartzpay-x.com', registrar: 'Ember', ip: [{ address: '192.0.2.1' }] });
  await world.append(['quartzpay-x.com', 'quartzpay-y.com']);
  await world.discover();
  const old = new Sqlite(join(directory, 'watchlist.db'));
  old.exec('update domain set shared = null');
  old.close();
  const named = async (filter: object) => {
    const found = await world.triage.listTriageNames('account', { list: 'new', ...filter }, 9);
    return found === 'unknown-monitor' ? [] : found.map(({ domain }) => domain).toSorted();
  };
  assert.deepEqual(await named({ registrars: ['Ember'] }), []);
  await fillSharedFacts({ ...world, factsMutex: new Mutex() });
  assert.deepEqual(await named({ registrars: ['Ember'] }), ['quartzpay-x.com']);
  assert.deepEqual(await named({ addresses: ['192.0.2.1'] }), ['quartzpay-x.com']);
  assert.deepEqual(await world.triage.listUnfilledNames(9), []);
});
