import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SubjectFacts } from '../../../src/product/evidence/pack-facts.ts';
import { sharedValues } from '../../../src/product/evidence/shared-values.ts';
import { facts } from './pack-facts-sample.ts';

const subject = (domain: string, record: SubjectFacts['record']): SubjectFacts => ({
  ...(facts.subjects[0] as SubjectFacts),
  domain,
  record,
});

test('values of several domains are listed, those of the most first, and others are not', () => {
  const shared = sharedValues([
    subject('a.example', { domain: 'a.example', registrar: 'One', analytics_code: 'UA-1' }),
    subject('b.example', { domain: 'b.example', registrar: 'One', analytics_code: 'UA-1' }),
    subject('c.example', { domain: 'c.example', registrar: 'One', analytics_code: 'UA-2' }),
    subject('d.example', undefined),
  ]);
  assert.deepEqual(shared, [
    { what: 'Registrar', value: 'One', domains: ['a.example', 'b.example', 'c.example'] },
    { what: 'Tracking code of the web site', value: 'UA-1', domains: ['a.example', 'b.example'] },
  ]);
});

test('a value that one domain has twice is not shared', () => {
  const server = { host: 'ns.example' };
  const record = { domain: 'a.example', name_server: [server, server] };
  assert.deepEqual(sharedValues([subject('a.example', record)]), []);
});
