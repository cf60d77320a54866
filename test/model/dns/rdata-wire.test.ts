import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { nameLength, nameText, parseName } from '../../../src/model/dns/name.ts';
import { layoutsByType } from '../../../src/model/dns/rdata-layout.ts';
import { parseRdata, rdataText } from '../../../src/model/dns/rdata-text.ts';
import { canonicalRdata, expandRdata, namesIn } from '../../../src/model/dns/rdata-wire.ts';
import { type Mnemonic, typeOf } from '../../../src/model/dns/rr-type.ts';
import { rdataBytesMax } from '../../../src/model/dns/rrset.ts';
import { anyTypedRdata } from './any-rdata.ts';

function wire(type: Mnemonic, text: string): Uint8Array {
  const rdata = parseRdata(typeOf(type), text);
  assert.ok(rdata, text);
  return rdata;
}

const namesOf = (type: Mnemonic, text: string) =>
  namesIn(typeOf(type), wire(type, text)).map((name) => nameText(name));

/** A message with `Example.COM.` at offset 12, followed by the rdata, given in hexadecimal. */
function expanded(type: Mnemonic, rdataHex: string): string | undefined {
  const head = [...new Uint8Array(12), ...Buffer.from('\x07Example\x03COM\x00', 'latin1')];
  const rdata = Buffer.from(rdataHex, 'hex');
  const message = Uint8Array.from([...head, ...rdata, 1, 2, 3]);
  const found = expandRdata(message, head.length, rdata.length, typeOf(type));
  return found && rdataText(typeOf(type), found);
}

test('names in rdata are decompressed and lowercased', () => {
  assert.equal(expanded('NS', 'c00c'), 'example.com.');
  assert.equal(expanded('NS', '024e53c00c'), 'ns.example.com.');
  assert.equal(expanded('NS', '0141c014'), 'a.com.');
  assert.equal(expanded('MX', '000a044d61696cc00c'), '10 mail.example.com.');
  assert.equal(
    expanded('SOA', `c00c0161c00c${'00000001'.repeat(5)}`),
    'example.com. a.example.com. 1 1 1 1 1',
  );
  assert.equal(expanded('SRV', '000000050016c00c'), '0 5 22 example.com.');
  assert.equal(
    expanded('RRSIG', `00010800${'00000000'.repeat(3)}0001c00cff`),
    'A 8 0 0 19700101000000 19700101000000 1 example.com. /w==',
  );
  assert.equal(expanded('IPSECKEY', '0a0302c00cff'), '10 3 2 example.com. /w==');
});

test('a name in rdata may point at an earlier one in the same rdata', () => {
  assert.equal(expanded('MINFO', '0161c00cc019'), 'a.example.com. a.example.com.');
});

test('pointers that lead forward or out of the message, and incomplete names, are rejected', () => {
  for (const rdata of [
    'c019',
    'c01b',
    'c0ff',
    'ffff',
    'c0',
    '0161c019',
    '0161',
    '40',
    '80',
    '',
    'c00c00',
    '00ff',
  ]) {
    assert.equal(expanded('NS', rdata), undefined, rdata);
  }
});

test('a long chain of pointers is rejected, a short one is not', () => {
  const chain = (pointers: number) => {
    const message = new Uint8Array(2 + 2 * pointers);
    for (let index = 1; index <= pointers; index++) {
      const target = index === 1 ? 0 : 2 * (index - 1);
      message.set([0xc0 | (target >>> 8), target & 255], 2 * index);
    }
    return expandRdata(message, 2 * pointers, 2, typeOf('NS'));
  };
  assert.deepEqual(chain(100), Uint8Array.of(0));
  assert.equal(chain(1000), undefined);
});

test('a name that exceeds 255 bytes when decompressed is rejected', () => {
  const long = Buffer.from(`\x3f${'a'.repeat(63)}`.repeat(3), 'latin1');
  const message = Uint8Array.from([...long, 0, 62, ...new Uint8Array(62).fill(97), 0xc0, 0]);
  assert.equal(expandRdata(message, 193, 65, typeOf('NS')), undefined);
  assert.equal(expandRdata(message.with(193, 60), 193, 65, typeOf('NS')), undefined);
  const fitting = Uint8Array.from([...long, 0, 60, ...new Uint8Array(60).fill(97), 0xc0, 0]);
  assert.equal(expandRdata(fitting, 193, 63, typeOf('NS'))?.length, 254);
});

test('rdata of types without a layout is copied unchanged', () => {
  const message = Uint8Array.of(9, 0xc0, 0x00, 0x41, 9);
  for (const type of [typeOf('OPT'), typeOf('NULL'), 65_280]) {
    const found = expandRdata(message, 1, 3, type);
    assert.deepEqual(found, Uint8Array.of(0xc0, 0x00, 0x41));
    assert.notEqual(found?.buffer, message.buffer);
  }
  assert.equal(expandRdata(message, 1, 5, 65_280), undefined);
  assert.equal(expandRdata(new Uint8Array(rdataBytesMax + 1), 0, rdataBytesMax + 1, 65_280), undefined);
});

test('rdata read from a Buffer is a plain array with memory of its own', () => {
  for (const type of ['MX', 'NULL'] as const) {
    const message = Buffer.from('000a016100', 'hex');
    const found = [
      expandRdata(message, 0, message.length, typeOf(type)),
      canonicalRdata(typeOf(type), message),
      ...namesIn(typeOf(type), message),
    ];
    const before = found.map((bytes) => bytes?.join());
    message.fill(255);
    assert.deepEqual(
      found.map((bytes) => bytes?.join()),
      before,
    );
    for (const bytes of found) assert.equal(bytes?.constructor, Uint8Array);
  }
});

test('TXT without any string is kept as one empty string', () => {
  assert.deepEqual(canonicalRdata(typeOf('TXT'), new Uint8Array(0)), Uint8Array.of(0));
  assert.deepEqual(expandRdata(Uint8Array.of(1), 1, 0, typeOf('TXT')), Uint8Array.of(0));
});

test('canonical rdata has its names in lower case and is otherwise unchanged', () => {
  const rdata = Uint8Array.from([0, 1, 0, 2, 1, 65, 1, 66, 1, 67, 1, 68, 0]);
  assert.equal(
    Buffer.from(canonicalRdata(typeOf('NAPTR'), rdata) ?? []).toString('latin1'),
    '\x00\x01\x00\x02\x01A\x01B\x01C\x01d\x00',
  );
});

test('rdata that is invalid for its type has no canonical form', () => {
  for (const [type, hex] of [
    ['A', 'c00002'],
    ['A', 'c000020101'],
    ['AAAA', 'c0000201'],
    ['NS', 'c00c'],
    ['NS', '0000'],
    ['MX', '00'],
    ['TXT', '0261'],
    ['LOC', `01${'00'.repeat(15)}`],
    ['LOC', `00${'00'.repeat(15)}`],
    ['NSEC', '00000100'],
    ['NSEC', '00000140000140'],
    ['NSEC3', '010000000000'],
    ['NXT', '0080'],
    ['APL', '0003080101'],
    ['APL', '000121017f'],
    ['APL', '0001080100'],
    ['SVCB', '00010000010001'],
    ['IPSECKEY', '0a0402'],
  ] as const) {
    assert.equal(canonicalRdata(typeOf(type), Buffer.from(hex, 'hex')), undefined, `${type} ${hex}`);
  }
});

test('rdata decoded from any message is canonical', () => {
  const anyType = fc.oneof(fc.constantFrom(...layoutsByType.keys()), fc.nat(65_535));
  const likely = fc.array(fc.oneof(fc.nat(255), fc.constantFrom(0, 0, 1, 2, 0xc0)), { maxLength: 60 });
  fc.assert(
    fc.property(likely, fc.nat(60), fc.nat(60), anyType, (bytes, at, length, type) => {
      const found = expandRdata(Uint8Array.from(bytes), at, length, type);
      if (found) assert.deepEqual(canonicalRdata(type, found), found);
    }),
    { numRuns: 5000 },
  );
});

test('rdata decodes the same within a message and alone', () => {
  fc.assert(
    fc.property(anyTypedRdata, fc.uint8Array({ maxLength: 9 }), ([type, rdata], before) => {
      const message = Uint8Array.from([...before, ...rdata, 5, 5]);
      const found = expandRdata(message, before.length, rdata.length, type);
      assert.ok(found);
      assert.deepEqual(found, canonicalRdata(type, rdata));
      assert.deepEqual(canonicalRdata(type, found), found);
    }),
    { numRuns: 500 },
  );
});

test('the names in rdata are those it refers to', () => {
  for (const type of ['NS', 'CNAME', 'DNAME', 'PTR', 'MB', 'MG', 'MR', 'MD', 'MF'] as const) {
    assert.deepEqual(namesOf(type, 'a.example.'), ['a.example.']);
  }
  for (const type of ['MX', 'AFSDB', 'RT', 'KX', 'LP'] as const) {
    assert.deepEqual(namesOf(type, '10 a.example.'), ['a.example.']);
  }
  assert.deepEqual(namesOf('SRV', '0 5 5060 a.example.'), ['a.example.']);
  assert.deepEqual(namesOf('HTTPS', '1 a.example. port=1'), ['a.example.']);
  assert.deepEqual(namesOf('SVCB', '0 a.example.'), ['a.example.']);
  assert.deepEqual(namesOf('NSEC', 'a.example. A'), ['a.example.']);
  assert.deepEqual(namesOf('NXT', 'a.example. A'), ['a.example.']);
  assert.deepEqual(namesOf('SOA', 'a.example. b.example. 1 2 3 4 5'), ['a.example.', 'b.example.']);
  assert.deepEqual(namesOf('RP', 'a.example. b.example.'), ['a.example.', 'b.example.']);
  assert.deepEqual(namesOf('MINFO', 'a.example. b.example.'), ['a.example.', 'b.example.']);
  assert.deepEqual(namesOf('PX', '1 a.example. b.example.'), ['a.example.', 'b.example.']);
  assert.deepEqual(namesOf('NAPTR', '1 1 "S" "x" "" a.example.'), ['a.example.']);
});

test('a name that occurs twice is listed once, and the root is a name', () => {
  assert.deepEqual(namesOf('SOA', 'a.example. a.example. 1 2 3 4 5'), ['a.example.']);
  assert.deepEqual(namesOf('MX', '0 .'), ['.']);
});

test('the signer of a signature is not listed, and other rdata contains no names', () => {
  assert.deepEqual(namesOf('RRSIG', 'A 8 0 1 1 1 1 a.example. AA=='), []);
  assert.deepEqual(namesOf('SIG', 'A 8 0 1 1 1 1 a.example. AA=='), []);
  assert.deepEqual(namesOf('A', '192.0.2.1'), []);
  assert.deepEqual(namesOf('TXT', 'a.example.'), []);
  assert.deepEqual(namesIn(65_280, parseName('a.example.') ?? new Uint8Array(0)), []);
});

test('the names in arbitrary bytes are complete', () => {
  fc.assert(
    fc.property(fc.constantFrom(...layoutsByType.keys()), fc.uint8Array({ maxLength: 60 }), (type, rdata) => {
      for (const name of namesIn(type, rdata)) assert.equal(nameLength(name, 0), name.length);
    }),
    { numRuns: 2000 },
  );
});
