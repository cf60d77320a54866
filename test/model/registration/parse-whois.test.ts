import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCountryCode } from '../../../src/model/registration/country.ts';
import { findDay } from '../../../src/model/registration/day.ts';
import { classifyWhois } from '../../../src/model/registration/whois/classify-whois.ts';
import { findReferral } from '../../../src/model/registration/whois/find-referral.ts';
import { mergeWhois } from '../../../src/model/registration/whois/merge-whois.ts';
import { parseWhois } from '../../../src/model/registration/whois/parse-whois.ts';
import { readEntries } from '../../../src/model/registration/whois/read-entries.ts';
import { whoisFixtures } from './whois-fixtures.ts';

for (const { layout, text, says } of whoisFixtures) {
  test(`a WHOIS record ${layout} is parsed`, () => {
    assert.deepEqual(parseWhois(text), says);
    assert.deepEqual(parseWhois(text.replaceAll('\n', '\r\n')), says);
    assert.equal(classifyWhois(text), 'record');
  });
}

test('dates in the formats of registries are parsed', () => {
  const written: readonly (readonly [string, string | undefined])[] = [
    ['2019-05-06', '2019-05-06'],
    ['2019-05-06T23:30:00Z', '2019-05-06'],
    ['2019-05-06T23:30:00-0700', '2019-05-07'],
    ['2011-01-23 00:00:07 +02:00', '2011-01-22'],
    ['2001-06-14-T10:32:43Z', '2001-06-14'],
    ['2012. 05. 19.', '2012-05-19'],
    ['2001/05/14', '2001-05-14'],
    ['19961206 #24302', '1996-12-06'],
    ['20221101 00:10:24', '2022-11-01'],
    ['15.12.2015 09:48:01', '2015-12-15'],
    ['5.1.2027', '2027-01-05'],
    ['11-07-2017', '2017-07-11'],
    ['05-nov-2010', '2010-11-05'],
    ['30-March-2000', '2000-03-30'],
    ['31 May 1999', '1999-05-31'],
    ['Friday 7th November 2003', '2003-11-07'],
    ['Sat Oct 07 00:00:00 EDT 2023', '2023-10-07'],
    ['Thu Apr 18 18:41:41 GMT 2002', '2002-04-18'],
    ['September 5, 2008', '2008-09-05'],
    ['before Aug-1996', '1996-08-01'],
    ['1999-06-07 13:01:43 (GMT+0:00)', '1999-06-07'],
    ['2023-02-30', undefined],
    ['0000-00-00', undefined],
    ['never', undefined],
    ['', undefined],
  ];
  for (const [text, day] of written) assert.equal(findDay(text), day, text);
  assert.equal(findDay('03/02/2020'), '2020-02-03');
  assert.equal(findDay('03/02/2020', 'month-first'), '2020-03-02');
});

test('known countries become ISO codes', () => {
  const written = {
    US: 'us',
    uk: 'gb',
    'U.S.A.': 'us',
    'China (CN)': 'cn',
    'FR (FRANCE)': 'fr',
    Austria: 'at',
    SU: undefined,
  };
  for (const [text, code] of Object.entries(written)) assert.equal(findCountryCode(text), code, text);
  assert.equal(findCountryCode('Atlantis'), undefined);
});

test('a no-match answer and a rate limit are distinguished from a record', () => {
  const nothing = [
    'No match for "X.EXAMPLE".',
    '% No entries found.\n',
    'Domain: x.example\nStatus: free',
    'NOT FOUND\r\n>>> Last update <<<',
  ];
  for (const text of nothing) assert.equal(classifyWhois(text), 'no-match', text);
  const refusals = [
    'Your query limit exceeded. Try again later.',
    '% Error: Too many connections',
    'WHOIS LIMIT EXCEEDED - SEE WWW.EXAMPLE',
  ];
  for (const text of refusals) assert.equal(classifyWhois(text), 'refused', text);
  for (const text of ['', '\r\n \r\n', '% only\n% comments\n'])
    assert.equal(classifyWhois(text), 'empty', text);
  assert.equal(classifyWhois('something unreadable'), 'record');
});

test('only a plain host name is accepted as a referral', () => {
  assert.equal(
    findReferral(readEntries('Registrar WHOIS Server: whois.Registrar.example\n')),
    'whois.registrar.example',
  );
  assert.equal(findReferral(readEntries('refer:   whois.nic.example')), 'whois.nic.example');
  assert.equal(findReferral(readEntries('ReferralServer: whois://whois.nic.example')), 'whois.nic.example');
  for (const bad of [
    '127.0.0.1',
    '[::1]',
    '2130706433',
    '0x7f.1',
    'localhost',
    'whois.example:4343',
    'a b.example',
    'whois.example/x',
    '',
  ])
    assert.equal(findReferral(readEntries(`Registrar WHOIS Server: ${bad}\n`)), undefined, bad);
});

test('dates and status come from the registry, contacts from the registrar', () => {
  const registry = parseWhois(
    'Domain Name: A.EXAMPLE\nCreation Date: 2001-01-01\nStatus: ok\nRegistrant Name: Thin\nRegistrar: R\n',
  );
  const registrar = parseWhois(
    'Creation Date: 2002-02-02\nStatus: locked\nRegistrant Name: Full\nRegistrant Email: a@b.example\n',
  );
  assert.deepEqual(mergeWhois([registry, registrar]), {
    registrant_contact: { name: 'Full', email: ['a@b.example'] },
    registrar: 'R',
    create_date: '2001-01-01',
    registrant_name: 'Full',
    registrar_status: ['ok'],
  });
});
