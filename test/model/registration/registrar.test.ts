import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWhois } from '../../../src/model/registration/whois/parse-whois.ts';
import { registrarFixtures } from './registrar-fixtures.ts';

for (const { layout, text, registrar, created } of registrarFixtures) {
  test(`registrar and creation date are found in a WHOIS record ${layout}`, () => {
    const found = parseWhois(text);
    assert.deepEqual([found.registrar, found.create_date], [registrar, created]);
    assert.equal(parseWhois(text.replaceAll('\n', '\r\n')).registrar, registrar);
  });
}
