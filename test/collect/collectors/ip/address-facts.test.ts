import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createIpCollector } from '../../../../src/collect/collectors/ip/ip-collector.ts';
import { readRangeLines, splitCsvLine } from '../../../../src/collect/collectors/ip/range-lines.ts';
import { AddressRangeMap, findAddressWords } from '../../../../src/model/address/address-range-map.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const { signal } = new AbortController();
const fail = (error: unknown) => assert.fail(String(error));

test('country and owner of an address come from files of the operator first, then from the packaged data', async (t) => {
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
  assert.deepEqual(await collector.probe({ domain, known, nowMs: 0, signal }), {
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

test('a missing address file is reported at intervals and loaded once it exists', async (t) => {
  const file = join(temporaryDirectory(t), 'ranges.csv');
  const errors: unknown[] = [];
  const collector = createIpCollector({ addressFiles: [file], popularityFile: '' }, (error) =>
    errors.push(error),
  );
  const known = { domain: 'example.com', ip: [{ address: '192.0.2.1' }] };
  const probe = (nowMs: number) => collector.probe({ domain: known.domain, known, nowMs, signal });
  for (const nowMs of [0, 1, 59_999]) assert.equal((await probe(nowMs)).outcome, 'failed');
  assert.equal(errors.length, 1);
  writeFileSync(file, '192.0.2.0,192.0.2.255,64500,Example,nl\n');
  assert.equal((await probe(60_000)).outcome, 'failed');
  assert.equal((await probe(60_001)).outcome, 'found');
});

const word = fc.integer({ min: 0, max: 40 });

test('a domain that is not listed has no rank, and while the list cannot be read the rank stays', async (t) => {
  const path = join(temporaryDirectory(t), 'list');
  const domain = 'example.com';
  const request = { domain, known: { domain, popularity_rank: 9 }, nowMs: 0, signal };
  const settings = { addressFiles: [], popularityFile: path };
  const errors: unknown[] = [];
  assert.deepEqual(await createIpCollector(settings, (error) => errors.push(error)).probe(request), {
    outcome: 'found',
    part: { ip: [], popularity_rank: 9 },
  });
  assert.equal(errors.length, 1);
  writeFileSync(path, '1,another.com\n');
  const collector = createIpCollector(settings, fail);
  assert.deepEqual(collector.members, ['ip', 'popularity_rank']);
  assert.deepEqual(await collector.probe(request), { outcome: 'found', part: { ip: [] } });
});

test('of overlapping ranges in any order the one that starts last counts', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { maxLength: 30 }), fc.boolean(), (pairs, isWide) => {
      const wide = (number: number) =>
        isWide ? Uint32Array.of(0, number >> 3, 7, number & 7) : Uint32Array.of(number);
      const ranges = new AddressRangeMap(isWide ? 4 : 1);
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

test('decimal numbers of up to 128 bits are parsed as addresses', () => {
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

test('any range file is read to its end', () => {
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
          splitCsvLine(rest);
        });
      },
    ),
  );
});

test('fields are separated by commas outside quotes', () => {
  assert.deepEqual(splitCsvLine('1,"a, ""b""",c'), ['1', 'a, "b"', 'c']);
  assert.deepEqual(splitCsvLine(''), ['']);
});
