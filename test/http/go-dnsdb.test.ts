/** Flexible searches as go-dnsdb writes them: the pattern escaped twice, and a space in the query string as a plus sign. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readConfig } from '../../src/config.ts';
import { addressReader } from '../../src/http/address.ts';

const goClient = 'Go-http-client/1.1';
const flags = { 'compat.profile': { flag: '--set', text: 'vendor' } };
const read = addressReader(readConfig({ environment: {}, flags }).settings);
const urlFor = (url: string, userAgent?: string) => read(url, undefined, userAgent).url;

/** What `url.PathEscape` of Go leaves as it is. */
const plain = /[A-Za-z0-9\-_.~$&+=:@]/;
const escaped = (text: string) =>
  Array.from(text, (character) => (plain.test(character) ? character : encodedByte(character))).join('');
const encodedByte = (character: string) =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

const printable = fc.stringMatching(/^[ -~]+$/);

test('a pattern that go-dnsdb escaped twice is the pattern', () => {
  fc.assert(
    fc.property(printable, fc.constantFrom('regex/rrnames', 'glob/rdata'), (pattern, kind) => {
      const sent = `/dnsdb/v2/${kind}/${escaped(escaped(pattern))}/TXT?swclient=dnsdb`;
      const [path = ''] = urlFor(sent, goClient).split('?');
      assert.equal(decodeURIComponent(path), `/pdns/v2/${kind}/${pattern}/TXT`);
    }),
    { numRuns: 500 },
  );
});

test('a pattern that was escaped once is not decoded again, and none of another client is', () => {
  const url = (pattern: string) => `/dnsdb/v2/regex/rdata/${pattern}?swclient=dnsdb`;
  for (const pattern of ['%2525%20x', '%5Eh%5B0-9%5D', '%2541(', 'plain', '%252g', '%255c']) {
    assert.equal(urlFor(url(pattern), goClient), `/pdns/v2/regex/rdata/${pattern}?swclient=dnsdb`);
  }
  for (const userAgent of [undefined, '', 'curl/8', 'Go-http-client']) {
    assert.equal(urlFor(url('a%255C.b'), userAgent), '/pdns/v2/regex/rdata/a%255C.b?swclient=dnsdb');
  }
});

test('a plus sign of go-dnsdb in the pattern to exclude is a space', () => {
  const sent = '/dnsdb/v2/glob/rdata/a%252A?exclude=%5E20+x%2By+&limit=1';
  assert.equal(urlFor(sent, goClient), '/pdns/v2/glob/rdata/a%2A?exclude=%5E20%20x%2By%20&limit=1');
  assert.equal(urlFor(sent), '/pdns/v2/glob/rdata/a%252A?exclude=%5E20+x%2By+&limit=1');
});

test('other requests of Go programs, and the neutral paths, are unchanged', () => {
  for (const path of [
    '/lookup/rrset/name/a%252Ab?id=x+y',
    '/pdns/v2/regex/rrnames/a%255C.b?exclude=a+b',
    '/v1/account?app_name=a+b',
  ]) {
    assert.equal(urlFor(path, goClient), path);
  }
  assert.equal(urlFor('/dnsdb/v2/lookup/rrset/name/a%252Ab', goClient), '/pdns/v2/lookup/rrset/name/a%252Ab');
});
