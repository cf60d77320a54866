/** Counts of trigrams against the trigrams of each text, in ASCII and beyond it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { openDomains } from '../../../../../src/store/embedded/domain/open-domains.ts';
import { TrigramCounts } from '../../../../../src/store/embedded/domain/text/trigrams.ts';
import { temporaryDirectory } from '../../../../harness/temporary-directory.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '~', '😀'), maxLength: 8 });

test('every trigram is counted once for each text that contains it, over all transactions', (t) => {
  const database = openDomains(join(temporaryDirectory(t), 'domains.db'), 2048);
  t.after(() => database.close());
  const counts = new TrigramCounts(database);
  const stored = database.prepare("select trigram, texts from trigram where of = 'value'").raw();
  fc.assert(
    fc.property(fc.array(fc.array(text, { maxLength: 6 }), { maxLength: 3 }), (transactions) => {
      database.exec('delete from trigram');
      for (const texts of transactions) {
        for (const one of texts) counts.add('value', one);
        database.transaction(() => counts.flush())();
      }
      assert.deepEqual(new Map(stored.all() as [string, number][]), expected(transactions.flat()));
    }),
    { numRuns: 30 },
  );
});

function expected(texts: readonly string[]): Map<string, number> {
  const counted = new Map<string, number>();
  for (const one of texts) {
    const characters = Array.from(one);
    const trigrams = new Set(characters.slice(2).map((_, at) => characters.slice(at, at + 3).join('')));
    for (const trigram of trigrams) counted.set(trigram, (counted.get(trigram) ?? 0) + 1);
  }
  return counted;
}
