/** Properties of every format, for any input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type LineFormat, lineFormats } from '../../../src/collect/rrset-formats/formats.ts';
import type { Outcome } from '../../../src/collect/rrset-formats/rrset-format.ts';
import { nameLength, parseName } from '../../../src/model/dns/name.ts';
import { canonicalRdata } from '../../../src/model/dns/rdata-wire.ts';
import { type Rrset, rdataBytesMax, rrsetBytesMax } from '../../../src/model/dns/rrset.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

const options = { seenSeconds: 1_700_000_000, origin: parseName('example.com') };

function assertStorable(set: Rrset): void {
  for (const name of [set.owner, set.bailiwick]) assert.equal(nameLength(name, 0), name.length);
  assert.ok(Number.isInteger(set.type) && set.type > 0 && set.type < 65_535);
  assert.ok(Number.isInteger(set.firstSeconds) && set.firstSeconds >= 0);
  assert.ok(Number.isInteger(set.lastSeconds) && set.lastSeconds <= 0xffff_ffff);
  assert.ok(set.firstSeconds <= set.lastSeconds);
  assert.ok(Number.isSafeInteger(set.count) && set.count >= 1);
  assert.ok(set.rdata.length > 0);
  assert.ok(set.rdata.every((rdata) => rdata.length <= rdataBytesMax));
  assert.ok(set.rdata.reduce((bytes, rdata) => bytes + rdata.length, 0) <= rrsetBytesMax);
  for (const rdata of set.rdata) assert.deepEqual(canonicalRdata(set.type, rdata), rdata);
}

/** The observations of a new reader, each checked to be storable. */
function read(format: LineFormat, lines: readonly string[]): readonly Rrset[] {
  const reader = lineFormats[format](options);
  const outcomes: Outcome[] = lines.map((line) => reader.line(line));
  outcomes.push(...(reader.end?.() ?? []));
  const observations = outcomes.flatMap((outcome) =>
    outcome.kind === 'observations' ? outcome.observations : [],
  );
  observations.forEach(assertStorable);
  return observations;
}

const hostileValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    -1,
    0,
    1e308,
    -0,
    2 ** 53,
    0.1,
    '',
    '.',
    '..',
    '@',
    '\\',
    '\\300',
    '\uFFFD',
    '\u0000',
    null,
  ),
  fc.constantFrom<unknown>(
    '__proto__',
    'constructor',
    { toString: 1 },
    [[[]]],
    [null],
    { length: -1 },
    'ANY',
    'OPT',
  ),
  fc.constantFrom<unknown>(
    '192.0.2.1',
    '2001:db8::1',
    'a.example',
    '10 a.example',
    '"x"',
    '\\# 1 00',
    '1969-01-01 00:00:00',
  ),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
);

interface Sample {
  readonly format: LineFormat;
  readonly line: Readonly<Record<string, unknown>>;
}

const set = { rrname: 'a.example.', rrtype: 'A', rdata: ['192.0.2.1'], bailiwick: 'example.' };
const times = { time_first: 1, time_last: 2, zone_time_first: 3, zone_time_last: 4 };
const rr = { rrname: 'a.example', rrtype: 'A', rdata: '192.0.2.1' };
const soa = { mname: 'a', rname: 'b', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 };
const eve = {
  timestamp: '2023-11-14T22:13:20.1+0000',
  flow_id: 1,
  event_type: 'dns',
  src_port: 53,
  dest_port: 1,
};
const good = { type: 'answer', id: 1, rcode: 'NOERROR', tc: false };
const response = {
  header: { rcode: 'NOERROR', flags: ['qr'] },
  answer: [{ ...set, rrclass: 'IN' }],
  authority: [set],
  additional: [set],
};

const samples: readonly Sample[] = [
  { format: 'cof', line: { ...set, ...times, count: 1 } },
  { format: 'cof', line: { cond: 'ongoing', msg: 'x', obj: { ...set, ...times, count: 1 } } },
  {
    format: 'nmsg-json',
    line: {
      vname: 'SIE',
      mname: 'dnsdedupe',
      message: { ...set, ...times, type: 'INSERTION', rrclass: 'IN', count: 1 },
    },
  },
  {
    format: 'nmsg-json',
    line: { vname: 'SIE', mname: 'newdomain', message: { ...set, time_seen: '2026-01-28 11:59:40' } },
  },
  { format: 'nmsg-json', line: { vname: 'base', mname: 'dns', time: '2026-01-28 11:59:40.1', message: set } },
  {
    format: 'nmsg-json',
    line: {
      vname: 'base',
      mname: 'dnsobs',
      message: { time: 1, query_zone: 'example.', response_json: response },
    },
  },
  {
    format: 'nmsg-json',
    line: { vname: 'base', mname: 'dnsqr', message: { response_time_sec: [1], response_json: response } },
  },
  {
    format: 'zeek',
    line: {
      ts: 1,
      query: 'a.example',
      qclass: 1,
      qtype: 1,
      rcode: 0,
      answers: ['b.example', '192.0.2.1'],
      TTLs: [1, 1],
    },
  },
  {
    format: 'zeek',
    line: { ts: 1, query: 'a.example', qtype: 2, rcode: 0, answers: ['b.', 'c.'], TTLs: [1, 1] },
  },
  {
    format: 'zeek',
    line: { ts: 1, query: 'a.example', qtype_name: 'TXT', rcode_name: 'NOERROR', answers: ['TXT 1 a'] },
  },
  { format: 'eve', line: { ...eve, dns: { ...good, ...rr } } },
  {
    format: 'eve',
    line: { ...eve, dns: { ...good, version: 2, answers: [rr, { ...rr, rrtype: 'SOA', rdata: soa }] } },
  },
  {
    format: 'eve',
    line: { ...eve, dns: { ...good, version: 2, authorities: [{ ...rr, rrtype: 'SOA', rdata: null, soa }] } },
  },
  {
    format: 'eve',
    line: {
      ...eve,
      dns: { ...good, version: 3, queries: [rr], grouped: { CNAME: ['b'], A: ['192.0.2.1'], SOA: [soa] } },
    },
  },
];

type Path = readonly (string | number)[];

/** Every path inside a value, the value itself included. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy: Record<string, unknown> = Array.isArray(value)
    ? ([...value] as never)
    : { ...(value as object) };
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

test('the unmodified samples are valid', () => {
  for (const { format, line } of samples)
    assert.ok(read(format, [JSON.stringify(line)]).length > 0, JSON.stringify(line));
});

for (const { format, line } of samples) {
  const kind = Object.keys(line).slice(0, 3).join(', ');
  test(`${format}: any value in any member neither throws nor yields an invalid RRset (${kind})`, () => {
    const paths = fc.array(fc.constantFrom(...pathsIn(line)), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(paths, fc.array(hostileValue, { minLength: 3, maxLength: 3 }), (places, values) => {
        const changed = places.reduce<unknown>((value, path, index) => {
          try {
            return replaced(value, path, values[index]);
          } catch {
            return value;
          }
        }, line);
        read(format, [JSON.stringify(changed), JSON.stringify(line)]);
      }),
      { numRuns: propertyRuns(150) },
    );
  });
}

test('a value nested thirty thousand levels deep in any member does not throw', () => {
  const deep = '['.repeat(30_000) + ']'.repeat(30_000);
  for (const { format, line } of samples) {
    for (const path of pathsIn(line)) {
      const json = JSON.stringify(replaced(line, path, 'HERE'));
      read(format, [json.replace('"HERE"', () => deep)]);
    }
  }
});

const word = fc.oneof(
  fc.constantFrom(
    'a',
    '@',
    '(',
    ')',
    '"',
    '"x"',
    ';',
    '\\',
    '\\"',
    '\\300',
    '$ORIGIN',
    '$TTL',
    '$INCLUDE',
    '$',
    '*',
  ),
  fc.constantFrom(
    'IN',
    'CH',
    '3600',
    '1h',
    'A',
    'NS',
    'TXT',
    'SOA',
    'RRSIG',
    'TYPE65280',
    '\\# 1 00',
    '192.0.2.1',
    'b.example.',
  ),
  fc.constantFrom(
    '#fields',
    '#separator \\x09',
    '#separator',
    '#set_separator',
    '#path',
    'ts',
    'query',
    'answers',
    '{',
    '-',
  ),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
);
const text = fc
  .tuple(fc.constantFrom('', ' ', '\t'), fc.array(word, { maxLength: 12 }), fc.constantFrom(' ', '\t', ''))
  .map(([start, words, gap]) => start + words.join(gap));

for (const format of Object.keys(lineFormats) as LineFormat[]) {
  test(`${format}: arbitrary lines neither throw nor yield an invalid RRset`, () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (lines) => {
        read(format, lines);
      }),
      { numRuns: propertyRuns(250) },
    );
  });

  test(`${format}: a line of a million brackets or backslashes is read in linear time`, () => {
    for (const unit of ['[', '{"a":', '(', '\\', '"', '\\x', ' ', '$', '#', '1h', '\t', 'a.', '#fields\t']) {
      read(format, [unit.repeat(1_000_000 / unit.length)]);
    }
  });
}
