/** Each kind of damage is made on purpose, and must be found. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Database } from '../../../../src/store/embedded/database.ts';
import { openDomains } from '../../../../src/store/embedded/domain/open-domains.ts';
import { PendingPostingsWriter } from '../../../../src/store/embedded/domain/posting/pending-postings.ts';
import { PostingChanges } from '../../../../src/store/embedded/domain/posting-changes.ts';
import { valueKeysOf } from '../../../../src/store/embedded/domain/stored-salt.ts';
import { Upserts } from '../../../../src/store/embedded/domain/upserts.ts';
import { verifyCounts } from '../../../../src/store/embedded/domain/verify.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

type Damage = (database: Database, registrar: bigint) => void;

const damages: readonly (readonly [what: string, fault: RegExp, damage: Damage])[] = [
  [
    'a missing value',
    /^registrar of a\.com is not in the index$/,
    (database, key) => database.prepare('delete from value where key = ?').run(key),
  ],
  [
    'a wrong count',
    /^value -?\d+ has a count of 3, but 2 entries$/,
    (database, key) => database.prepare('update value set domains = 3 where key = ?').run(key),
  ],
  [
    'an index entry for a domain without the value',
    /^the records have \d+ values, and the index has \d+ entries$/,
    (database) => database.prepare('insert into value (key, domains, ids) values (1, 1, 1)').run(),
  ],
  [
    'a wrong number in a column',
    /^column risk_score of b\.com is not 7$/,
    (database) =>
      database.prepare('update number_chunk set numbers = zeroblob(8192) where id >> 32 = 5').run(),
  ],
  [
    'wrong stored keys of a record',
    /^the stored keys of root of a\.com are wrong$/,
    (database) => database.prepare("update record_keys set root = x'' where id = 1").run(),
  ],
  [
    'a missing record',
    /^domain 2 has no record$/,
    (database) => database.prepare('delete from record where id = 2').run(),
  ],
];

const pendingDamages: typeof damages = [
  [
    'lost pending changes',
    /^registrar of a\.com is not in the index$/,
    (database) => database.prepare('delete from pending_posting').run(),
  ],
  [
    'a pending entry for a domain without the value',
    /^the records have \d+ values, and the index has \d+ entries$/,
    (database) => {
      const changes = new PostingChanges(database, 0);
      changes.add(1n, 2);
      database.transaction(() => changes.flush())();
    },
  ],
  [
    'a pending entry of a value that the domain has already',
    /^value -?\d+ has a count of 3, but 2 entries$/,
    (database, key) => {
      const keys = BigInt64Array.from([key]);
      new PendingPostingsWriter(database).append({ keys, changes: Uint32Array.from([3]) });
    },
  ],
];

const cases = [
  ...damages.map((damage) => [...damage, undefined] as const),
  ...pendingDamages.map((damage) => [...damage, 0] as const),
];

for (const [what, fault, damage, fewChanges] of cases) {
  test(`verification finds ${what}`, (t) => {
    const database = openDomains(join(temporaryDirectory(t), 'domains.db'), 2048);
    t.after(() => database.close());
    const upserts = new Upserts(database, fewChanges);
    for (const domain of ['a.com', 'b.com']) {
      const record = { domain, registrar: 'R', domain_risk: { risk_score: 7, components: [] } };
      upserts.apply({ record, source: 'test', seenMs: 0 });
    }
    upserts.flush();
    const progress: number[] = [];
    assert.deepEqual(
      verifyCounts(database, (done) => progress.push(done)),
      [],
    );
    assert.deepEqual(progress, [2]);
    damage(database, valueKeysOf(database).keyOf('registrar', 'R'));
    const faults = verifyCounts(database, () => undefined);
    assert.ok(
      faults.some((text) => fault.test(text)),
      faults.join('\n'),
    );
  });
}
