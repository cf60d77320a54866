/** watchlist.db of versions without a log of decisions. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { openDetectStores } from '../../../src/store/embedded/detect-stores.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const migrations = join(import.meta.dirname, '../../../src/store/embedded/migrations/watchlist');

/** Three domains, of which two were blocked in one request. */
function oldWatchlist(t: TestContext): string {
  const directory = temporaryDirectory(t);
  const database = new Sqlite(join(directory, 'watchlist.db'));
  database.exec('create table migration (number integer primary key, file text not null) strict');
  for (const [index, file] of ['0001-watchlist.sql', '0002-remembered-and-snapshots.sql'].entries()) {
    database.exec(readFileSync(join(migrations, file), 'utf8'));
    database.prepare('insert into migration values (?, ?)').run(index + 1, file);
  }
  database.exec(`
    insert into monitor (number, id, account, term, substring_variations, nameserver_exclusions, text_exclusions, state, status,
      created_by, created_ms, updated_ms, applied_ms) values (1, 'm1', 'acme', 'acme', 0, '[]', '[]', 'active', 'completed', 'ann', 1, 1, 1);
    insert into domain (number, id, account, name, tld, state, discovered_ms, assigned_by, assigned_ms, escalated_ms, active, mx_exists, name_servers)
      values (1, 'd1', 'acme', 'a.example', 'example', 'watched', 1, 'ann', 5, 7, 1, 0, '[]'),
        (2, 'd2', 'acme', 'b.example', 'example', 'watched', 1, 'bob', 7, 7, 1, 0, '[]'),
        (3, 'd3', 'acme', 'c.example', 'example', 'new', 1, null, null, null, 1, 0, '[]');
    insert into monitor_match (domain, monitor, excluded, reason) values (1, 1, 0, '{}'), (2, 1, 0, '{}'), (3, 1, 0, '{}');
    insert into escalation (id, account, domain, name, type, created_ms, updated_ms, created_by)
      values ('e1', 'acme', 1, 'a.example', 'blocked', 7, 7, 'bob'), ('e2', 'acme', 2, 'b.example', 'blocked', 7, 7, 'bob');
    insert into blocklist (account, version) values ('acme', 1)`);
  database.close();
  return directory;
}

test('blocks of earlier versions are in the log, and can be withdrawn', async (t) => {
  const directory = oldWatchlist(t);
  const stores = openDetectStores(directory);
  t.after(() => stores.close());
  const [logged, ...others] = await stores.decisions.listDecisions('acme', { limit: 9 });
  assert.deepEqual([logged?.by, logged?.target, logged?.domains, others.length], ['bob', 'blocked', 2, 0]);
  const options = { skipConflicts: false, pieceDomains: 9 };
  const by = { username: 'ann', atMs: 9 };
  const outcome = await stores.decisions.undoDecision('acme', logged?.id ?? '', options, by);
  assert.equal(outcome.outcome === 'undone' && outcome.changed.length, 2);
  assert.deepEqual(await stores.escalations.listBlockedDomains('acme', '', 9), []);
  assert.equal(await stores.escalations.blocklistVersion('acme'), 2);
  const domain = await stores.triage.findTriageDomain('acme', 'd1');
  assert.deepEqual([domain?.state, domain?.assigned], ['watched', { by: 'ann', atMs: 5 }]);
});

test('rows of earlier versions are listed until their shared values are filled in', async (t) => {
  const directory = oldWatchlist(t);
  const stores = openDetectStores(directory);
  t.after(() => stores.close());
  assert.deepEqual(await stores.triage.listUnfilledNames(2), ['a.example', 'b.example']);
  const shared = { registrar: 'Ember', ip: [], country: [], certificate: [], analytics: [] };
  await stores.triage.fillSharedFacts([
    { domain: 'a.example', shared },
    { domain: 'b.example', shared: undefined },
  ]);
  assert.deepEqual(await stores.triage.listUnfilledNames(2), ['c.example']);
  const filter = { list: 'watched', registrars: ['Ember'] } as const;
  const found = await stores.triage.listTriageNames('acme', filter, 9);
  assert.deepEqual(found !== 'unknown-monitor' && found.map(({ domain }) => domain), ['a.example']);
});

test('what an earlier version has blocked is in a collection that is read for the first time', async (t) => {
  const stores = openDetectStores(oldWatchlist(t));
  t.after(() => stores.close());
  const key = { accountId: 'acme', list: 'blocked' } as const;
  const author = { title: 'Blocked domains', name: 'Acme', marking: 'amber' } as const;
  while (await stores.sharing.isUnrefreshed(key)) await stores.sharing.refreshCollection(key, author, 9);
  const query = { after: -1, limit: 99, types: ['indicator'], versions: 'all' } as const;
  const { versions } = await stores.sharing.listObjects(key, query);
  assert.deepEqual(
    versions.map(({ text }) => (JSON.parse(text) as { name: string }).name),
    ['a.example', 'b.example'],
  );
});
