import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordParts } from '../../../../src/model/record/attributes.ts';
import type { DomainRecord } from '../../../../src/model/record/domain-record.ts';
import { openDomains } from '../../../../src/store/embedded/domain/open-domains.ts';
import { RecordKeys } from '../../../../src/store/embedded/domain/record-keys.ts';
import { valueKeysOf } from '../../../../src/store/embedded/domain/stored-salt.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const record: DomainRecord = {
  domain: 'a.com',
  registrar: 'R',
  website_title: 'T',
  parsed_whois: { registrar: 'R', registrant_name: 'N' },
};

test('the keys of some parts are those that were stored, or computed where none were', (t) => {
  const database = openDomains(join(temporaryDirectory(t), 'domains.db'), 2048);
  t.after(() => database.close());
  const keys = new RecordKeys(database, valueKeysOf(database));
  const computed = keys.compute(record);
  assert.notEqual(computed.root.length, 0);
  assert.notEqual(computed.parsed_whois.length, 0);
  keys.put(1, computed);
  const never = () => assert.fail('the record was parsed');
  for (const parts of [['root'], ['root', 'parsed_whois'], recordParts] as const) {
    const wanted = parts.map((part) => computed[part]);
    assert.deepEqual(keys.listParts([1, 1], parts, never), [wanted, wanted]);
    const recordAt = (index: number) => (index === 1 ? record : never());
    assert.deepEqual(keys.listParts([1, 2], parts, recordAt), [wanted, wanted]);
    for (const part of parts) assert.deepEqual(keys.of(1, never)[part], computed[part]);
  }
});
