import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isDnssecType, typeNumber, typeText } from '../../../src/model/dns/rr-type.ts';

test('a type is parsed from its mnemonic, ignoring case', () => {
  for (const [text, number] of [
    ['A', 1],
    ['aaaa', 28],
    ['Nsap-Ptr', 23],
    ['nsec3param', 51],
    ['HTTPS', 65],
    ['DLV', 32_769],
  ] as const) {
    assert.equal(typeNumber(text), number);
    assert.equal(typeText(number), text.toUpperCase());
  }
});

test('a type without a mnemonic is TYPEnnn, and any type may be written so', () => {
  assert.equal(typeText(65_280), 'TYPE65280');
  assert.equal(typeNumber('type65280'), 65_280);
  assert.equal(typeNumber('TYPE1'), 1);
  assert.equal(typeNumber('TYPE65535'), 65_535);
});

test('invalid types have no number', () => {
  for (const text of [
    '',
    'ANY',
    'any-dnssec',
    '*',
    'TYPE',
    'TYPE65536',
    'TYPE-1',
    'TYPE1a',
    ' A',
    'Nſ',
    'constructor',
  ]) {
    assert.equal(typeNumber(text), undefined, text);
  }
});

test('every number round-trips through its text', () => {
  for (let type = 0; type <= 65_535; type++) assert.equal(typeNumber(typeText(type)), type);
});

test('any text is a type or undefined, without a crash', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const number = typeNumber(text);
      assert.ok(number === undefined || (number >= 0 && number <= 65_535));
    }),
  );
});

test('exactly ten types belong to DNSSEC', () => {
  const found = Array.from({ length: 65_536 }, (_, type) => type).filter(isDnssecType);
  assert.deepEqual(found.map(typeText), [
    'DS',
    'RRSIG',
    'NSEC',
    'DNSKEY',
    'NSEC3',
    'NSEC3PARAM',
    'CDS',
    'CDNSKEY',
    'TA',
    'DLV',
  ]);
});
