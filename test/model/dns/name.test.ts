import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isAtOrBelow, nameLength, nameText, parseName, rootName } from '../../../src/model/dns/name.ts';
import type { WireName } from '../../../src/model/dns/rrset.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';
import { anyName } from './any-rdata.ts';

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');

function wire(text: string): WireName {
  const name = parseName(text);
  assert.ok(name, text);
  return name;
}

/** In lower case, as parsing returns it. */
const anyWireName = anyName.map((bytes) => wire(nameText(Uint8Array.from(bytes))));

test('a name is parsed with and without its final dot, ignoring case', () => {
  const expected = '03777777076578616d706c6503636f6d00';
  for (const text of ['www.example.com', 'www.example.com.', 'WWW.eXample.COM.']) {
    assert.equal(hex(parseName(text)), expected);
  }
});

test('a name is formatted in lower case with a final dot', () => {
  assert.equal(nameText(wire('WWW.Example.COM')), 'www.example.com.');
});

test('the root is a dot', () => {
  assert.deepEqual(parseName('.'), rootName);
  assert.equal(nameText(rootName), '.');
});

test('a name of one character is valid', () => {
  assert.equal(hex(parseName('a')), '016100');
});

test('invalid names are rejected', () => {
  const long = 'a'.repeat(64);
  const text254 = `${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(62)}`;
  for (const text of [
    '',
    '..',
    '.a',
    'a..b',
    'a..',
    long,
    `${long}.b`,
    '\\',
    'a\\',
    'a\\25',
    'a\\256',
    'a\\1b2',
    text254,
  ]) {
    assert.equal(parseName(text), undefined, text);
  }
});

test('the longest label has 63 bytes, the longest name 255', () => {
  const label = 'a'.repeat(63);
  const longest = `${`${label}.`.repeat(3)}${'a'.repeat(61)}`;
  assert.equal(parseName(longest)?.length, 255);
  assert.equal(parseName(`${longest}.`)?.length, 255);
  assert.equal(parseName(`${longest}a`), undefined);
  const escaped = `${'\\097'.repeat(63)}.`.repeat(3) + '\\065'.repeat(61);
  assert.deepEqual(parseName(escaped), parseName(longest));
  assert.equal(parseName(`${escaped}\\097`), undefined);
  assert.equal(parseName('a.'.repeat(100_000)), undefined);
});

test('escapes denote characters and bytes', () => {
  assert.equal(hex(parseName('a\\.b.c')), '03612e62016300');
  assert.equal(hex(parseName('\\000\\255\\065.c')), '0300ff61016300');
  assert.equal(hex(parseName('\\a\\\\.c')), '02615c016300');
});

test('non-ASCII characters become their UTF-8 bytes', () => {
  assert.equal(hex(parseName('bücher.example')), '0762c3bc63686572076578616d706c6500');
  assert.equal(hex(parseName('\\ü')), '02c3bc00');
  assert.equal(nameText(wire('bücher.example')), 'b\\195\\188cher.example.');
});

test('characters special in zone files are escaped by a backslash, other bytes by digits', () => {
  const label = Uint8Array.from([11, ...Buffer.from('."\\();@$ \t\x7f'), 0]);
  assert.equal(nameText(label), '\\.\\"\\\\\\(\\)\\;\\@\\$\\032\\009\\127.');
  assert.equal(nameText(wire('*._tcp.a-b.example')), '*._tcp.a-b.example.');
});

test('the label of folded names stays in upper case, at any position', () => {
  for (const text of ['_wildcard_.example.com', '_WILDCARD_.example.com', '_WildCard_.EXAMPLE.com.']) {
    assert.equal(nameText(wire(text)), '_WILDCARD_.example.com.');
  }
  assert.equal(nameText(wire('a._wildcard_')), 'a._WILDCARD_.');
  assert.equal(nameText(wire('_\\119ildcard_')), '_WILDCARD_.');
  assert.equal(nameText(wire('_WILDCARDS')), '_wildcards.');
  assert.equal(nameText(wire('x_WILDCARD_')), 'x_wildcard_.');
});

test('any name round-trips through its presentation form', () => {
  fc.assert(
    fc.property(anyWireName, (name) => {
      const text = nameText(name);
      assert.deepEqual(parseName(text), name);
      assert.deepEqual(parseName(text.toUpperCase()), name);
      if (name.length > 1) assert.deepEqual(parseName(text.slice(0, -1)), name);
    }),
  );
});

test('parsing returns a name in lower case, in memory of its own', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
      const name = parseName(text);
      if (!name) return;
      assert.equal(nameLength(name, 0), name.length);
      assert.deepEqual(parseName(nameText(name)), name);
      const copy = name.slice();
      parseName('overwrites.the.scratch.buffer.example');
      assert.deepEqual(name, copy);
    }),
  );
});

test('formatting arbitrary bytes shows as much as is a name, and never fails', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(400), (bytes, at) => {
      assert.ok(nameText(bytes, at).endsWith('.'));
    }),
  );
  assert.equal(nameText(Uint8Array.of(1, 97, 0xc0, 0)), 'a.');
});

test('the length of a name includes its final zero, from any offset', () => {
  const name = wire('www.example.com');
  const message = Uint8Array.from([9, 9, ...name, 9]);
  assert.equal(nameLength(message, 2), name.length);
  assert.equal(nameText(message, 2), 'www.example.com.');
  assert.equal(nameLength(message, 2 + 4), name.length - 4);
});

test('the length is undefined where there is no uncompressed name', () => {
  assert.equal(nameLength(Uint8Array.of(), 0), undefined);
  assert.equal(nameLength(Uint8Array.of(0xc0, 0), 0), undefined);
  assert.equal(nameLength(Uint8Array.of(1, 97), 0), undefined);
  assert.equal(nameLength(Uint8Array.of(3, 97, 98), 0), undefined);
  assert.equal(
    nameLength(
      Uint8Array.from({ length: 257 }, (_, at) => (at % 2 === 0 ? 1 : 97)),
      0,
    ),
    undefined,
  );
});

test('a name is at or below a zone by whole labels only', () => {
  const isBelow = (name: string, zone: string) => isAtOrBelow(wire(name), wire(zone));
  assert.ok(isBelow('example.com', 'example.com'));
  assert.ok(isBelow('a.b.Example.com', 'example.COM'));
  assert.ok(isBelow('example.com', '.'));
  assert.ok(isBelow('.', '.'));
  assert.ok(!isBelow('badexample.com', 'example.com'));
  assert.ok(!isBelow('com', 'example.com'));
  assert.ok(!isBelow('example.org', 'example.com'));
  // The bytes of the zone are the end of this label too, but not labels of their own.
  assert.ok(!isAtOrBelow(wire('x\\003com\\000'), wire('com')));
});

test('isAtOrBelow agrees with comparing labels from the top', () => {
  const few = fc.array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 4 });
  fc.assert(
    fc.property(few, few, (labels, zoneLabels) => {
      const expected = zoneLabels.join('.') === labels.slice(labels.length - zoneLabels.length).join('.');
      assert.equal(
        isAtOrBelow(wire(`${labels.join('.')}.`), wire(`${zoneLabels.join('.')}.`)),
        zoneLabels.length <= labels.length && expected,
      );
    }),
  );
});
