import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { openDomains } from '../../../../src/store/embedded/domain/open-domains.ts';
import { foldedText, ValueKeys } from '../../../../src/store/embedded/domain/value-keys.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

function open(t: TestContext): ValueKeys {
  const database = openDomains(join(temporaryDirectory(t), 'domains.db'), 2048);
  t.after(() => database.close());
  return new ValueKeys(database);
}

test('texts share a key exactly when they are the same once folded', (t) => {
  const keys = open(t);
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.string({ unit: fc.constantFrom('a', 'A', 'ü', 'Ü', ' ', '\t', '\0', '\ud800', '%'), maxLength: 4 }),
  );
  fc.assert(
    fc.property(text, text, (one, other) => {
      const isSame = foldedText(one) === foldedText(other);
      assert.equal(keys.keyOf('registrar', one) === keys.keyOf('registrar', other), isSame);
    }),
    { numRuns: 500 },
  );
});

test('the same text has another key in another attribute, and in another database', (t) => {
  const [keys, others] = [open(t), open(t)];
  assert.notEqual(keys.keyOf('registrar', 'a'), keys.keyOf('server_type', 'a'));
  assert.notEqual(keys.keyOf('registrar', 'a'), keys.keyOf('registra', 'ra'));
  assert.notEqual(keys.keyOf('registrar', 'a'), others.keyOf('registrar', 'a'));
});

test('a hundred thousand values have as many keys, and are forgotten without harm', (t) => {
  const keys = open(t);
  const first = keys.keyOf('ip.address', '0');
  const all = new Set(
    Array.from({ length: 100_000 }, (_, number) => keys.keyOf('ip.address', String(number))),
  );
  assert.equal(all.size, 100_000);
  assert.equal(keys.keyOf('ip.address', '0'), first);
});
