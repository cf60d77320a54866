import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cofReader } from '../../../src/collect/rrset-formats/cof.ts';
import { shownLines } from './shown.ts';

const record = {
  count: 41,
  time_first: 1_700_000_000,
  time_last: 1_700_090_000,
  rrname: 'www.example.com.',
  rrtype: 'A',
  bailiwick: 'example.com.',
  rdata: ['192.0.2.1', '192.0.2.2'],
};
const shownRecord =
  'sensor www.example.com. A in example.com. 1700000000-1700090000 x41: 192.0.2.1 | 192.0.2.2';

/** The record with replaced members; `undefined` removes one. */
function read(changes: Readonly<Record<string, unknown>>): string {
  const shown = shownLines(cofReader(), [JSON.stringify({ ...record, ...changes })]);
  return shown.join('\n');
}

test('a COF record becomes one sensor observation', () => {
  assert.equal(read({}), shownRecord);
});

test('zone times make a zone observation, and both pairs make two observations', () => {
  const zoneTimes = { zone_time_first: 1_690_000_000, zone_time_last: 1_700_000_000 };
  assert.equal(
    read({ time_first: undefined, time_last: null, ...zoneTimes, count: 12 }),
    'zone www.example.com. A in example.com. 1690000000-1700000000 x12: 192.0.2.1 | 192.0.2.2',
  );
  assert.equal(
    read(zoneTimes),
    `${shownRecord}\nzone www.example.com. A in example.com. 1690000000-1700000000 x1: 192.0.2.1 | 192.0.2.2`,
  );
});

test('a saved API response is read: framing is skipped, obj is unwrapped', () => {
  const lines = [
    '{"cond":"begin"}',
    JSON.stringify({ obj: record }),
    '{}',
    '',
    '{"cond":"ongoing","msg":"still here"}',
  ];
  for (const last of ['{"cond":"succeeded"}', '{"cond":"limited","msg":"Result limit reached"}']) {
    assert.deepEqual(shownLines(cofReader(), [...lines, last]), [shownRecord]);
  }
});

test('a saved response that failed before its end is reported', () => {
  assert.deepEqual(shownLines(cofReader(), ['{"cond":"failed","msg":"timeout"}']), [
    'malformed: the saved response failed before its end',
  ]);
});

test('rdata may be one string, and names may lack their final dot and have any letter case', () => {
  assert.equal(
    read({ rrname: 'WWW.Example.COM', rrtype: 'cname', bailiwick: 'Example.com', rdata: 'Edge.Example.NET' }),
    'sensor www.example.com. CNAME in example.com. 1700000000-1700090000 x41: edge.example.net.',
  );
  assert.equal(
    read({ rrtype: 'MX', rdata: ['10 mail.example.com'] }),
    'sensor www.example.com. MX in example.com. 1700000000-1700090000 x41: 10 mail.example.com.',
  );
});

test('a record without bailiwick, as an inverse lookup gives it, gets the root', () => {
  for (const bailiwick of [undefined, null, '', '.']) {
    assert.match(read({ bailiwick }), /^sensor www\.example\.com\. A in \. 1700000000/);
  }
});

test('a bailiwick is parsed equally whether or not it is a suffix of the owner', () => {
  const cases = [
    ['www.example.com.', 'com.', 'com.'],
    ['www.example.com.', 'www.example.com.', 'www.example.com.'],
    ['www.example.com.', 'ample.com.', 'ample.com.'],
    ['www.example.com.', 'example.net.', 'example.net.'],
    ['a\\.b.example.com.', 'b.example.com.', 'b.example.com.'],
    ['\\097ü.example.com.', 'example.com.', 'example.com.'],
    ['\\097ü.example.com.', '\\097ü.example.com.', 'a\\195\\188.example.com.'],
    ['ü.example.com.', 'example.com.', 'example.com.'],
    ['ab.example.com', 'example.com', 'example.com.'],
  ] as const;
  for (const [rrname, bailiwick, expected] of cases) {
    assert.ok(read({ rrname, bailiwick }).includes(` in ${expected} `), `${rrname} in ${bailiwick}`);
  }
});

test('a type may be a mnemonic, TYPEnnn, a number or digits, but not a meta type', () => {
  for (const rrtype of ['A', 'a', 'TYPE1', 'type1', 1, '1']) assert.equal(read({ rrtype }), shownRecord);
  assert.match(read({ rrtype: 65_280, rdata: '\\# 2 abcd' }), /TYPE65280 in .*: \\# 2 abcd$/i);
  for (const rrtype of [
    'ANY',
    255,
    'OPT',
    41,
    'AXFR',
    0,
    -1,
    1.5,
    65_536,
    '65536',
    'NOSUCH',
    '',
    null,
    [1],
  ]) {
    assert.equal(read({ rrtype }), 'malformed: rrtype is not a type of data', String(rrtype));
  }
});

test('rdata of every type is converted from presentation format', () => {
  const cases = [
    ['TXT', '"one" "two words" ""'],
    ['TXT', '""'],
    ['SOA', 'ns1.example.net. hostmaster.example.net. 1 7200 3600 1209600 300'],
    ['SRV', '0 5 5060 sip.example.com.'],
    ['AAAA', '2001:db8::1'],
    ['TYPE65281', '\\# 3 010203'],
  ] as const;
  for (const [rrtype, rdata] of cases) assert.ok(read({ rrtype, rdata }).endsWith(`x41: ${rdata}`), rdata);
});

test('times may be numbers, digits or ISO times with or without zone', () => {
  const same = [
    1_577_934_245,
    1_577_934_245.9,
    '1577934245',
    '1577934245.123456',
    '2020-01-02T03:04:05Z',
    '2020-01-02t03:04:05.999z',
    '2020-01-02 03:04:05',
    '2020-01-02 03:04:05 UTC',
    '2020-01-02T04:04:05+01:00',
    '2020-01-01T22:04:05.000000-0500',
  ];
  for (const time_first of same)
    assert.match(read({ time_first }), / 1577934245-1700090000 /, String(time_first));
});

test('times outside 0 to 2^32 - 1, milliseconds and impossible dates are refused', () => {
  const refused = [
    -1,
    4_294_967_296,
    1_577_934_245_000,
    '1577934245000',
    1e300,
    '-5',
    '',
    '2020-02-30 00:00:00',
    '2020-13-01 00:00:00',
    '2020-01-02T24:04:05Z',
    '1969-12-31T23:59:59Z',
    '2106-02-07T06:28:16Z',
    'yesterday',
    true,
    [1],
    {},
    undefined,
  ];
  for (const time_last of refused) {
    const shown = read({ time_first: 0, time_last });
    assert.equal(shown, 'malformed: time_first and time_last are not a period of time', String(time_last));
  }
  assert.match(read({ time_first: 0, time_last: 4_294_967_295 }), / 0-4294967295 /);
});

test('a period that ends before it begins is refused', () => {
  assert.match(read({ time_first: 5, time_last: 4 }), /^malformed/);
  assert.match(read({ zone_time_first: 5, zone_time_last: 4 }), /^malformed: zone_time_first/);
  assert.match(read({ zone_time_first: 5 }), /^malformed: zone_time_first/);
});

test('a missing count is 1, and anything but a positive integer is refused', () => {
  for (const count of [undefined, null, 1, '1']) assert.match(read({ count }), / x1: /);
  for (const count of [0, -1, 1.5, '1.5', 2 ** 53, '99999999999999999', 'many', [], {}, true]) {
    assert.equal(read({ count }), 'malformed: count is not a whole number of 1 or more', String(count));
  }
});

test('a record is refused when one member of its RRset is', () => {
  assert.equal(read({ rdata: ['192.0.2.1', '192.0.2.999'] }), 'malformed: rdata does not fit its type');
  assert.equal(read({ rdata: ['192.0.2.1', 5] }), 'malformed: rdata is not text');
  assert.equal(read({ rdata: [] }), 'malformed: rdata is empty');
  assert.equal(read({ rdata: undefined }), 'malformed: rdata is not text');
});

test('an invalid name is refused', () => {
  for (const rrname of ['', 'a..b', `${'a'.repeat(64)}.example.`, 'a\\']) {
    assert.equal(read({ rrname }), 'malformed: rrname is not a name');
    if (rrname !== '') assert.equal(read({ bailiwick: rrname }), 'malformed: bailiwick is not a name');
  }
  assert.equal(read({ rrname: undefined }), 'malformed: rrname is missing');
  assert.equal(read({ rrname: 5 }), 'malformed: rrname is not a name');
  assert.equal(read({ bailiwick: 5 }), 'malformed: bailiwick is not a name');
});

test('an RRset that is too large to store is refused', () => {
  const text = `"${'x'.repeat(255)}"`.concat(' ').repeat(250).trim();
  const few = read({ rrtype: 'TXT', rdata: Array.from({ length: 4 }, () => text) });
  assert.match(few, /^sensor/);
  const many = read({ rrtype: 'TXT', rdata: Array.from({ length: 5 }, () => text) });
  assert.equal(many, 'malformed: the RRset is too large');
});

test('a line that is not a JSON object or not UTF-8 is refused, and the next line is read', () => {
  const bad = [
    '[]',
    '"x"',
    '5',
    'null',
    '{"rrname":',
    'hello',
    '{"obj":[]}',
    '{"obj":5}',
    '{"obj":null}',
    '{"x":1}',
  ];
  const lost = JSON.stringify({ ...record, rrname: '\uFFFD.example.com.' });
  const shown = shownLines(cofReader(), [...bad, lost, '['.repeat(500_000), JSON.stringify(record)]);
  assert.equal(shown.length, bad.length + 3);
  assert.ok(shown.slice(0, -1).every((line) => line.startsWith('malformed: ')));
  assert.equal(shown.at(-1), shownRecord);
});

test('unknown members are ignored', () => {
  assert.equal(
    read({ origin: 'https://example.net/', sensor_id: 's1', meta: { a: [1] }, ['__proto__']: 1 }),
    shownRecord,
  );
});
