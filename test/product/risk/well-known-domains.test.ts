import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findNameParts } from '../../../src/model/risk/name/name-parts.ts';

const file = join(import.meta.dirname, '../../../models/well-known-domains.txt');

test('the list of well-known domains names each registrable domain once, in order', () => {
  const domains = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  assert.ok(domains.length > 1000);
  assert.deepEqual(domains, [...new Set(domains)].sort());
  for (const domain of domains) assert.equal(findNameParts(domain)?.domain, domain);
});
