import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { attributes } from '../../../../src/model/record/attributes.ts';
import {
  activeAttribute,
  historicalAttributes,
  tldAttribute,
} from '../../../../src/store/domain/indexed-values.ts';
import { foldedText, type ValueKeys } from '../../../../src/store/domain/value-keys.ts';
import type { Database } from '../../../../src/store/embedded/database.ts';
import { openDomains } from '../../../../src/store/embedded/domain/open-domains.ts';
import { valueKeysOf } from '../../../../src/store/embedded/domain/stored-salt.ts';
import { anyCharacter } from '../../../harness/arbitraries/any-character.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

function openDatabase(t: TestContext, directory = temporaryDirectory(t)): Database {
  const database = openDomains(join(directory, 'domains.db'), 2048);
  t.after(() => database.close());
  return database;
}

function open(t: TestContext): ValueKeys {
  return valueKeysOf(openDatabase(t));
}

const everyAttribute = [...attributes, tldAttribute, activeAttribute, ...Object.values(historicalAttributes)];

test('the key of a value is the same, whichever values were hashed before', (t) => {
  const database = openDatabase(t);
  const keys = valueKeysOf(database);
  const text = fc.string({ unit: fc.constantFrom('a', 'B', 'ü', ' '), maxLength: 70 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
      for (const one of [...texts, ...texts])
        for (const attribute of ['registrar', tldAttribute])
          assert.equal(keys.keyOf(attribute, one), valueKeysOf(database).keyOf(attribute, one));
    }),
  );
});

test('two texts have the same key exactly when their folded forms are equal', (t) => {
  const keys = open(t);
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 5 }),
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

test('the same text has different keys in another attribute and in another database', (t) => {
  const [keys, others] = [open(t), open(t)];
  assert.notEqual(keys.keyOf('registrar', 'a'), keys.keyOf('server_type', 'a'));
  assert.notEqual(keys.keyOf('registrar', 'a'), keys.keyOf('registra', 'ra'));
  assert.notEqual(keys.keyOf('registrar', 'a'), others.keyOf('registrar', 'a'));
});

test('the keys of a text in all attributes are distinct and have the same upper half', (t) => {
  const keys = open(t);
  const ofText = (text: string) => everyAttribute.map((attribute) => keys.keyOf(attribute, text));
  assert.equal(new Set(ofText('a')).size, new Set(everyAttribute).size);
  assert.equal(new Set(ofText('a').map((key) => key >> 32n)).size, 1);
  assert.notEqual(ofText('a').map((key) => key >> 32n)[0], ofText('b').map((key) => key >> 32n)[0]);
});

test('a database of before keys were clustered keeps its keys', (t) => {
  const directory = temporaryDirectory(t);
  const before = openDatabase(t, directory);
  before.exec(
    `alter table record drop column checksum;
     alter table salt drop column key_form;
     drop table tagged;
     drop table pending_posting;
     drop table posting_state;
     drop table tag_definition;
     create table tag (account_id, user_id, domain_id, folded, label, tagged_ms);
     delete from migration where number >= 5;
     insert into domain (name) values ('a.com')`,
  );
  const keys = valueKeysOf(openDatabase(t, directory));
  const [one, other] = [keys.keyOf('registrar', 'a'), keys.keyOf('server_type', 'a')];
  assert.notEqual(one >> 32n, other >> 32n);
  assert.equal(keys.keyOf('registrar', 'A'), one);
});

test('a hundred thousand values have as many keys', (t) => {
  const keys = open(t);
  const first = keys.keyOf('ip.address', '0');
  const all = new Set(
    Array.from({ length: 100_000 }, (_, number) => keys.keyOf('ip.address', String(number))),
  );
  assert.equal(all.size, 100_000);
  assert.equal(keys.keyOf('ip.address', '0'), first);
});
