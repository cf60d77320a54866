import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findWrittenDomain } from '../../../src/model/record/written-domain.ts';

const cases: readonly (readonly [written: string, domain: string | undefined])[] = [
  ['Example.COM.', 'example.com'],
  ['login[.]example(.)com', 'login.example.com'],
  ['hxxps[://]login[.]example/path?q=1', 'login.example'],
  ['hxxp://user:pass@login.example:8080/', 'login.example'],
  ['info[@]mail[dot]example', 'mail.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['192.0.2.1', undefined],
  ['no domain at all', undefined],
  ['', undefined],
];

for (const [written, domain] of cases) {
  test(`the domain in ${JSON.stringify(written)} is ${domain ?? 'none'}`, () => {
    assert.equal(findWrittenDomain(written), domain);
  });
}
