/** A recount that finds nothing proves nothing unless it finds what is wrong. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Database } from '../../../../src/store/embedded/database.ts';
import { openDomains } from '../../../../src/store/embedded/domain/open-domains.ts';
import { Upserts } from '../../../../src/store/embedded/domain/upserts.ts';
import { ValueKeys } from '../../../../src/store/embedded/domain/value-keys.ts';
import { verifyCounts } from '../../../../src/store/embedded/domain/verify.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

type Damage = (database: Database, registrar: bigint) => void;

const damages: readonly (readonly [what: string, fault: RegExp, damage: Damage])[] = [
  [
    'a value that is lost',
    /^registrar of a\.com does not lead to it$/,
    (database, key) => database.prepare('delete from value where key = ?').run(key),
  ],
  [
    'a count that is wrong',
    /^value -?\d+ counts 3 domains of 2$/,
    (database, key) => database.prepare('update value set domains = 3 where key = ?').run(key),
  ],
  [
    'a value that leads to a domain without it',
    /^records have \d+ values, and \d+ lead to a record$/,
    (database) => database.prepare('insert into value (key, domains, ids) values (1, 1, 1)').run(),
  ],
  [
    'a number that is not that of the record',
    /^risk_score of b\.com is not 7$/,
    (database) =>
      database.prepare('update number_chunk set numbers = zeroblob(8192) where id >> 32 = 5').run(),
  ],
  [
    'a value that a record has and does not count',
    /^root of a\.com would be miscounted$/,
    (database) => database.prepare("update record_keys set root = x'' where id = 1").run(),
  ],
  [
    'a record that is lost',
    /^domain 2 has no record$/,
    (database) => database.prepare('delete from record where id = 2').run(),
  ],
];

for (const [what, fault, damage] of damages) {
  test(`${what} is found`, (t) => {
    const database = openDomains(join(temporaryDirectory(t), 'domains.db'), 2048);
    t.after(() => database.close());
    const upserts = new Upserts(database);
    for (const domain of ['a.com', 'b.com']) {
      const record = { domain, registrar: 'R', domain_risk: { risk_score: 7, components: [] } };
      upserts.take({ record, source: 'test', seenMs: 0 });
    }
    upserts.finish();
    const progress: number[] = [];
    assert.deepEqual(
      verifyCounts(database, (done) => progress.push(done)),
      [],
    );
    assert.deepEqual(progress, [2]);
    damage(database, new ValueKeys(database).keyOf('registrar', 'R'));
    const faults = verifyCounts(database, () => undefined);
    assert.ok(
      faults.some((text) => fault.test(text)),
      faults.join('\n'),
    );
  });
}
