import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { typeNumber } from '../../../src/model/dns/rr-type.ts';
import { typeMatcher } from '../../../src/model/dns/type-selection.ts';
import { Problem } from '../../../src/model/problem.ts';
import { parseQuery } from '../../../src/product/pdns/query.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';

const nowSeconds = 1_700_000_000;

function read(path: string, query: Readonly<Record<string, string | string[]>> = {}) {
  const parameters = new Map(Object.entries(query).map(([name, value]) => [name, [value].flat()]));
  return parseQuery(path.split('/'), parameters, nowSeconds);
}

function rows(path: string, query: Readonly<Record<string, string | string[]>> = {}) {
  const parsed = read(path, query);
  assert.ok(parsed.verb !== 'flex');
  return parsed;
}

function problemOf(run: () => unknown): Problem {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error;
  }
  return assert.fail('nothing was refused');
}

const name = 'lookup/rrset/name/example.com';
const typesKept = (path: string) =>
  [
    'A',
    'NS',
    'TXT',
    'DS',
    'RRSIG',
    'NSEC',
    'DNSKEY',
    'NSEC3',
    'NSEC3PARAM',
    'DLV',
    'CDS',
    'CDNSKEY',
    'TA',
    'TYPE65280',
  ]
    .filter((type) => typeMatcher(rows(path).filter.types)(typeNumber(type) as number))
    .join(' ');

test('PDNS-21 ANY, in every spelling and by default, selects all but the ten DNSSEC types; ANY-DNSSEC exactly those', () => {
  for (const type of ['', '/ANY', '/any', '/TYPE255', '/type255']) {
    assert.equal(typesKept(name + type), 'A NS TXT TYPE65280');
  }
  const dnssec = 'DS RRSIG NSEC DNSKEY NSEC3 NSEC3PARAM DLV CDS CDNSKEY TA';
  for (const type of ['ANY-DNSSEC', 'any-dnssec']) assert.equal(typesKept(`${name}/${type}`), dnssec);
});

test('PDNS-21 a type by its mnemonic or number selects that type alone, a DNSSEC type too', () => {
  for (const [type, kept] of [
    ['A', 'A'],
    ['ns', 'NS'],
    ['TYPE16', 'TXT'],
    ['DS', 'DS'],
    ['TYPE65280', 'TYPE65280'],
  ] as const) {
    assert.equal(typesKept(`${name}/${type}`), kept);
  }
});

test('PDNS-22 an unknown RRTYPE is rejected, and the problem names it', () => {
  for (const type of ['FOO', 'TYPE', 'TYPE65536', 'TYPE-1', 'A,AAAA', 'DNSSEC', 'ANY ', '255', '*']) {
    const problem = problemOf(() => read(`${name}/${type}`));
    assert.equal(problem.code, 'invalid-parameters', type);
    assert.match(problem.message, /^rrtype: /);
  }
});

test('PDNS-23 the bailiwick is a name, and only rrset/name accepts one', () => {
  assert.deepEqual(rows(`${name}/ANY/COM.`).rows.bailiwick, Uint8Array.from([3, 99, 111, 109, 0]));
  assert.deepEqual(rows(`${name}/NS/.`).rows.bailiwick, Uint8Array.from([0]));
  assert.equal(rows(`${name}/NS`).rows.bailiwick, undefined);
  assert.match(problemOf(() => read(`${name}/A/a..b`)).message, /^bailiwick: /);
  for (const path of ['rrset/raw/00', 'rdata/name/a', 'rdata/ip/192.0.2.1', 'rdata/raw/00']) {
    assert.equal(problemOf(() => read(`lookup/${path}/ANY/com`)).code, 'malformed-request');
  }
  assert.equal(problemOf(() => read(`${name}/A/com/more`)).code, 'malformed-request');
});

test('PDNS-25 rrset/raw is an owner name in wire form, and ignores case', () => {
  const { selection } = rows('lookup/rrset/raw/03777777074558414D504C4503636f6d00').rows;
  assert.deepEqual(selection, rows('lookup/rrset/name/www.example.com').rows.selection);
  for (const hex of [
    '',
    '0',
    '0g',
    '03777777',
    '0377777700ff',
    'c00c',
    '0x00',
    '00 ',
    '40'.padEnd(132, '6'),
  ]) {
    const problem = problemOf(() => read(`lookup/rrset/raw/${hex}`));
    assert.equal(problem.code, 'invalid-parameters', hex);
    assert.match(problem.message, /^raw: /);
  }
});

test('PDNS-29 PE-21 rdata/raw is an even number of hex digits in upper or lower case', () => {
  assert.deepEqual(rows('lookup/rdata/raw/00fFaB').rows.selection, {
    by: 'rdata-prefix',
    bytes: Uint8Array.from([0, 255, 171]),
  });
  for (const hex of ['', '0', 'abc', 'zz', '0x12', '12 34']) {
    assert.match(problemOf(() => read(`lookup/rdata/raw/${hex}`)).message, /^raw: /);
  }
});

test('PDNS-28 rdata/ip accepts A, AAAA and ANY in every spelling, and no other type', () => {
  for (const type of ['A', 'aaaa', 'ANY', 'TYPE1', 'type28', 'TYPE255']) {
    assert.equal(rows(`lookup/rdata/ip/192.0.2.1/${type}`).rows.selection.by, 'address');
  }
  for (const type of ['NS', 'TYPE2', 'ANY-DNSSEC', 'FOO', 'TYPE11']) {
    assert.match(problemOf(() => read(`lookup/rdata/ip/192.0.2.1/${type}`)).message, /^rrtype: /);
  }
  assert.match(problemOf(() => read('lookup/rdata/ip/example.com')).message, /^ip: /);
});

for (const path of [
  'lookup',
  'lookup/rrset',
  'lookup/rrset/name',
  'lookup/rdata/ip',
  'lookup/name/example.com',
  'lookup/rrset/foo/x',
  'lookup/rrset/ip/192.0.2.1',
  'lookup/rdata/foo/x',
  'lookup/foo/name/x',
  'lookup/RRSET/name/x',
  'lookup/rrset/__proto__/x',
  'summarize/rrset',
  'regex',
  'regex/rrnames',
  'regex/foo/x',
  'glob/rdata/x/ANY/more',
]) {
  test(`PE-01 PE-02 ${path} is incomplete or has an unknown lower component: a malformed request`, () => {
    assert.equal(problemOf(() => read(path)).code, 'malformed-request');
  });
}

test('PE-07 an unknown first component is not found', () => {
  for (const path of ['', 'foo', 'foo/rrset/name/x', 'LOOKUP/rrset/name/x', 'constructor/rrset/name/x']) {
    assert.equal(problemOf(() => read(path)).code, 'no-such-path');
  }
});

test('PDNS-07 limit is 10000 by default, and 0 means as many as the key allows', () => {
  assert.equal(read(name).paging.limit, 10_000);
  assert.equal(read(name, { limit: '0' }).paging.limit, 0);
  assert.equal(read(name, { limit: '17' }).paging.limit, 17);
});

for (const parameter of ['limit', 'offset', 'min_count', 'max_count']) {
  test(`PE-21 a value of ${parameter} that is not a non-negative integer is rejected, and the problem names it`, () => {
    for (const value of ['', '-1', '+1', '1.5', '1e3', '0x10', ' 1', '1 ', 'ten', '١', 'NaN', 'Infinity']) {
      const problem = problemOf(() => read(name, { [parameter]: value }));
      assert.equal(problem.code, 'invalid-parameters', value);
      assert.match(problem.message, new RegExp(`^${parameter}: `));
      assert.deepEqual(Object.keys(problem.fields ?? {}), [parameter]);
    }
    read(name, { [parameter]: '9'.repeat(400) });
    read(name, { [parameter]: '007' });
  });
}

const fences = ['time_first_before', 'time_first_after', 'time_last_before', 'time_last_after'] as const;

test('PDNS-32 PDNS-33 each fence is epoch seconds, or seconds before now when negative', () => {
  const absolute = read(name, Object.fromEntries(fences.map((fence, index) => [fence, String(100 + index)])));
  assert.deepEqual(absolute.filter.fences, {
    firstBefore: 100,
    firstAfter: 101,
    lastBefore: 102,
    lastAfter: 103,
  });
  assert.deepEqual(read(name, { time_last_after: '-3600' }).filter.fences, { lastAfter: nowSeconds - 3600 });
  assert.deepEqual(read(name, { time_last_after: '0' }).filter.fences, { lastAfter: 0 });
  assert.deepEqual(read(name).filter.fences, {});
});

for (const fence of fences) {
  test(`PE-21 a value of ${fence} that is not an integer is rejected, and the problem names it`, () => {
    for (const value of ['', 'now', '1.5', '--1', '1-', '2026-01-01', '1e9', '-']) {
      assert.match(problemOf(() => read(name, { [fence]: value })).message, new RegExp(`^${fence}: `));
    }
    for (const value of ['9'.repeat(400), `-${'9'.repeat(400)}`]) {
      assert.ok(Object.values(read(name, { [fence]: value }).filter.fences).every(Number.isSafeInteger));
    }
  });
}

test('PDNS-36 booleans are t, true, 1 and f, false, 0 in any letter case, and nothing else', () => {
  for (const value of ['t', 'true', 'True', 'TRUE', 'T', '1']) {
    const { rows: asked, humanTime } = rows(name, { aggr: value, humantime: value });
    assert.deepEqual([asked.merged, humanTime], [true, true]);
  }
  for (const value of ['f', 'false', 'False', 'FALSE', 'F', '0']) {
    const { rows: asked, humanTime } = rows(name, { aggr: value, humantime: value });
    assert.deepEqual([asked.merged, humanTime], [false, false]);
  }
  assert.deepEqual([rows(name).rows.merged, rows(name).humanTime], [true, false]);
  for (const value of ['', 'yes', 'no', 'on', '2', 'constructor', 'toString']) {
    for (const parameter of ['aggr', 'humantime']) {
      assert.match(
        problemOf(() => read(name, { [parameter]: value })).message,
        new RegExp(`^${parameter}: `),
      );
    }
  }
});

test('PDNS-31 max_count stops a summary and filters the rows of a lookup; min_count filters the rows of both', () => {
  const counts = { min_count: '2', max_count: '5' };
  const lookup = rows(name, counts);
  assert.deepEqual([lookup.filter.countMin, lookup.filter.countMax, lookup.countStop], [2, 5, undefined]);
  const summary = rows(name.replace('lookup', 'summarize'), counts);
  assert.deepEqual([summary.filter.countMin, summary.filter.countMax, summary.countStop], [2, undefined, 5]);
});

test('PDNS-37 unknown parameters are ignored, whatever their values and number', () => {
  const noise = { swclient: 'x', version: '1', id: 'a:b', foo: ['a', 'b'], __proto__x: '%' };
  assert.deepEqual(JSON.stringify(read(name, noise)), JSON.stringify(read(name)));
});

test('a parameter given twice with different values is rejected, and the problem names it', () => {
  assert.equal(read(name, { limit: ['5', '5'] }).paging.limit, 5);
  assert.match(problemOf(() => read(name, { limit: ['5', '6'] })).message, /^limit: /);
});

test('sort is time_last or absent', () => {
  assert.equal(read(name).paging.order, 'store');
  assert.equal(read(name, { sort: 'time_last' }).paging.order, 'newest');
  for (const sort of ['', 'time_first', '-time_last', 'TIME_LAST']) {
    assert.match(problemOf(() => read(name, { sort })).message, /^sort: /);
  }
});

test('PDNS-43 PDNS-44 both patterns of a flexible search are parsed, and the problem names an invalid one', () => {
  const parsed = read('glob/rrnames/*.example.', { exclude: '*bad*' });
  assert.ok(parsed.verb === 'flex');
  assert.deepEqual(parsed.texts, {
    over: 'names',
    pattern: { kind: 'glob', text: '*.example.' },
    exclude: { kind: 'glob', text: '*bad*' },
    type: undefined,
  });
  assert.match(problemOf(() => read('regex/rrnames/(')).message, /^pattern: /);
  assert.match(problemOf(() => read('regex/rrnames/a', { exclude: '(' })).message, /^exclude: /);
});

test('PDNS-41 flexible search supports all but the DNSSEC types for names, and eleven types for rdata', () => {
  const data = ['CNAME', 'HINFO', 'MX', 'NAPTR', 'NS', 'PTR', 'RP', 'SOA', 'SPF', 'SRV', 'TXT'];
  for (const type of [...data, 'A', 'TYPE65280', 'ANY']) read(`regex/rrnames/a/${type}`);
  for (const type of [...data, 'ANY', 'any', 'TYPE16', 'TYPE255']) read(`glob/rdata/a/${type}`);
  for (const type of ['DS', 'ANY-DNSSEC', 'RRSIG', 'FOO']) {
    assert.match(problemOf(() => read(`regex/rrnames/a/${type}`)).message, /^rrtype: /);
  }
  for (const type of ['A', 'AAAA', 'DS', 'ANY-DNSSEC', 'TYPE65280', 'FOO']) {
    assert.match(problemOf(() => read(`glob/rdata/a/${type}`)).message, /^rrtype: /);
  }
  const parsed = read('glob/rdata/*/TXT');
  assert.equal(parsed.verb === 'flex' && parsed.texts.type, typeNumber('TXT'));
});

test('any path and any parameters are a query or a problem, never a crash', () => {
  const segment = fc.oneof(
    fc.constantFrom(
      'lookup',
      'summarize',
      'regex',
      'glob',
      'rrset',
      'rdata',
      'name',
      'raw',
      'ip',
      'rrnames',
      'ANY',
      '*.a',
      '.',
    ),
    fc.string({ unit: anyCharacter }),
  );
  const value = fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom('t', '0', 'time_last'));
  const parameter = fc.constantFrom(
    ...fences,
    'limit',
    'offset',
    'aggr',
    'humantime',
    'cursor',
    'sort',
    'exclude',
    'verbose',
  );
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 7 }), fc.dictionary(parameter, value), (path, query) => {
      const parameters = new Map(Object.entries(query).map(([key, text]) => [key, [text]]));
      try {
        parseQuery(path, parameters, nowSeconds);
      } catch (error) {
        assert.ok(error instanceof Problem, String(error));
        assert.ok(['malformed-request', 'invalid-parameters', 'no-such-path'].includes(error.code));
      }
    }),
    { numRuns: 3000 },
  );
});
