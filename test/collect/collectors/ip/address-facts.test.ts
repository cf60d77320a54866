import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createIpCollector } from '../../../../src/collect/collectors/ip/ip-collector.ts';
import { fieldsOf, readRangeLines } from '../../../../src/collect/collectors/ip/range-lines.ts';
import { AddressRanges, findAddressWords } from '../../../../src/model/address-ranges.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const { signal } = new AbortController();
const fail = (error: unknown) => assert.fail(String(error));

test('where an address is and whose it is comes from files of the operator, and else from the data that is brought along', async (t) => {
  const file = join(temporaryDirectory(t), 'ranges.csv');
  const lines = [
    'first,last,asn,organization,country',
    '127.80.0.0,127.95.255.255,64500,"Example ""Hosting"", Inc.",NL',
    '2001:db8::,2001:db8::ffff,AS64501,Größe GmbH,de',
    '127.80.7.0,127.80.7.255,64502,,',
    '# a remark, with commas,,,',
    '8.8.8.8,8.8.8.8,,Own words,',
  ];
  writeFileSync(file, lines.join('\n'));
  const collector = createIpCollector({ addressFiles: [file], popularityFile: '' }, fail);
  assert.deepEqual(collector.members, ['ip']);
  const domain = 'example.com';
  const addresses = [
    '127.80.0.1',
    '2001:db8::1',
    '127.80.7.7',
    '8.8.8.8',
    '127.0.0.1',
    '2001:4860:4860::8888',
  ];
  const ip = addresses.map((address) => ({ address }));
  const known = { domain, ip: [...ip, { address: '10.0.0.1', asn: [64555] }] };
  assert.deepEqual(await collector.look({ domain, known, nowMs: 0, signal }), {
    outcome: 'found',
    part: {
      ip: [
        { address: '127.80.0.1', asn: [64500], isp: 'Example "Hosting", Inc.', country_code: 'nl' },
        { address: '2001:db8::1', asn: [64501], isp: 'Größe GmbH', country_code: 'de' },
        { address: '127.80.7.7', asn: [64502] },
        { address: '8.8.8.8', asn: [15169], isp: 'Own words', country_code: 'us' },
        { address: '127.0.0.1' },
        { address: '2001:4860:4860::8888', asn: [15169], isp: 'Google LLC', country_code: 'us' },
        { address: '10.0.0.1', asn: [64555] },
      ],
    },
  });
});

test('a file of addresses that is not there is told once in a while, and is read when it has come', async (t) => {
  const file = join(temporaryDirectory(t), 'ranges.csv');
  const told: unknown[] = [];
  const collector = createIpCollector({ addressFiles: [file], popularityFile: '' }, (error) =>
    told.push(error),
  );
  const known = { domain: 'example.com', ip: [{ address: '192.0.2.1' }] };
  const look = (nowMs: number) => collector.look({ domain: known.domain, known, nowMs, signal });
  for (const nowMs of [0, 1, 59_999]) assert.equal((await look(nowMs)).outcome, 'failed');
  assert.equal(told.length, 1);
  writeFileSync(file, '192.0.2.0,192.0.2.255,64500,Example,nl\n');
  assert.equal((await look(60_000)).outcome, 'failed');
  assert.equal((await look(60_001)).outcome, 'found');
});

const word = fc.integer({ min: 0, max: 40 });

test('a domain that is on no list has no rank, and where no list can be read the rank stays', async (t) => {
  const path = join(temporaryDirectory(t), 'list');
  const domain = 'example.com';
  const look = { domain, known: { domain, popularity_rank: 9 }, nowMs: 0, signal };
  const settings = { addressFiles: [], popularityFile: path };
  const told: unknown[] = [];
  assert.deepEqual(await createIpCollector(settings, (error) => told.push(error)).look(look), {
    outcome: 'found',
    part: { ip: [], popularity_rank: 9 },
  });
  assert.equal(told.length, 1);
  writeFileSync(path, '1,another.com\n');
  const collector = createIpCollector(settings, fail);
  assert.deepEqual(collector.members, ['ip', 'popularity_rank']);
  assert.deepEqual(await collector.look(look), { outcome: 'found', part: { ip: [] } });
});

test('of ranges in any order and however they overlap, the one that begins last counts', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { maxLength: 30 }), fc.boolean(), (pairs, isWide) => {
      const wide = (number: number) =>
        isWide ? Uint32Array.of(0, number >> 3, 7, number & 7) : Uint32Array.of(number);
      const ranges = new AddressRanges(isWide ? 4 : 1);
      for (const [index, [first, last]] of pairs.entries()) ranges.add(wide(first), wide(last), index);
      ranges.finish();
      for (let address = 0; address <= 41; address += 1) {
        const holding = pairs.filter(([first, last]) => first <= address && address <= last);
        const begins = Math.max(...holding.map(([first]) => first));
        const found = ranges.find(wide(address));
        const expected = holding.length === 0 ? undefined : begins;
        assert.equal(found === undefined ? undefined : pairs[found]?.[0], expected);
        if (found !== undefined) assert.ok((pairs[found]?.[1] ?? 0) >= address);
      }
    }),
  );
});

test('a number of up to 128 bits is the address that it is', () => {
  const read = (line: string, width?: 1 | 4) => {
    const found: unknown[] = [];
    readRangeLines(Buffer.from(line), width, (first, last, rest) =>
      found.push([[...first], [...last], rest]),
    );
    return found;
  };
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), (number) => {
      const words = [96n, 64n, 32n, 0n].map((shift) => Number((number >> shift) & 0xffffffffn));
      assert.deepEqual(read(`${number},${number},x`, 4), [[words, words, 'x']]);
    }),
  );
  assert.deepEqual(read(`0,${2n ** 128n},x`, 4), []);
  assert.deepEqual(read(`0,4294967295,x,y\n`), [[[0], [4_294_967_295], 'x,y']]);
  assert.deepEqual(read('0,4294967296,x', 1), []);
  assert.deepEqual(read('::1,192.0.2.1,x\n192.0.2.1,192.0.2.2,y\n'), [
    [[...(findAddressWords('192.0.2.1') ?? [])], [...(findAddressWords('192.0.2.2') ?? [])], 'y'],
  ]);
});

test('whatever is in a file of ranges, it is read to its end', () => {
  const piece = fc.constantFrom(',', '\n', '1', '192.0.2.1', '::', '"', '99999999999999999999', 'é', '\r');
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => Buffer.from(pieces.join('')));
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        fc.uint8Array().map((each) => Buffer.from(each)),
      ),
      (bytes) => {
        readRangeLines(bytes, undefined, (first, last, rest) => {
          assert.equal(first.length, last.length);
          fieldsOf(rest);
        });
      },
    ),
  );
});

test('fields are what lies between commas that no quotes enclose', () => {
  assert.deepEqual(fieldsOf('1,"a, ""b""",c'), ['1', 'a, "b"', 'c']);
  assert.deepEqual(fieldsOf(''), ['']);
});
