import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zeekReader } from '../../../src/collect/rrset-formats/zeek.ts';
import { shownLines } from './shown.ts';

const fields =
  'ts uid id.orig_h id.orig_p id.resp_h id.resp_p proto query qclass qtype qtype_name rcode rcode_name AA TC answers TTLs rejected'.split(
    ' ',
  );
const headers = [
  '#separator \\x09',
  '#set_separator\t,',
  '#empty_field\t(empty)',
  '#unset_field\t-',
  '#path\tdns',
  '#open\t2026-01-28-12-00-00',
  `#fields\t${fields.join('\t')}`,
];
const defaults = {
  ts: '1700000000.123456',
  uid: 'C1',
  'id.orig_h': '198.51.100.7',
  'id.orig_p': '40000',
  'id.resp_h': '192.0.2.53',
  'id.resp_p': '53',
  proto: 'udp',
  query: 'www.example.com',
  qclass: '1',
  qtype: '1',
  qtype_name: 'A',
  rcode: '0',
  rcode_name: 'NOERROR',
  AA: 'F',
  TC: 'F',
  answers: '192.0.2.1',
  TTLs: '60.000000',
  rejected: 'F',
};
type Changes = Partial<Record<keyof typeof defaults, string>>;

function row(changes: Changes): string {
  const values: Readonly<Record<string, string>> = { ...defaults, ...changes };
  return fields.map((field) => values[field] ?? '-').join('\t');
}

const readTsv = (...rows: readonly Changes[]) => shownLines(zeekReader(), [...headers, ...rows.map(row)]);
const at = '1700000000-1700000000 x1:';

test('addresses become the RRset of the question', () => {
  assert.deepEqual(readTsv({ answers: '192.0.2.1,192.0.2.2', TTLs: '60.0,60.0' }), [
    `sensor www.example.com. A in . ${at} 192.0.2.1 | 192.0.2.2`,
  ]);
  assert.deepEqual(readTsv({ qtype: '28', qtype_name: 'AAAA', answers: '2001:db8::1' }), [
    `sensor www.example.com. AAAA in . ${at} 2001:db8::1`,
  ]);
});

test('names before addresses are CNAMEs that lead to the owner of the addresses', () => {
  assert.deepEqual(readTsv({ answers: 'a.cdn.example,b.cdn.example,192.0.2.1' }), [
    `sensor www.example.com. CNAME in . ${at} a.cdn.example.`,
    `sensor a.cdn.example. CNAME in . ${at} b.cdn.example.`,
    `sensor b.cdn.example. A in . ${at} 192.0.2.1`,
  ]);
  assert.deepEqual(readTsv({ qtype: '28', answers: 'a.cdn.example' }), [
    `sensor www.example.com. CNAME in . ${at} a.cdn.example.`,
  ]);
  assert.deepEqual(readTsv({ qtype: '5', answers: 'a.cdn.example,b.cdn.example' }), [
    `sensor www.example.com. CNAME in . ${at} a.cdn.example.`,
    `sensor a.cdn.example. CNAME in . ${at} b.cdn.example.`,
  ]);
});

test('an answer that can be neither CNAME nor data discards the line', () => {
  for (const answers of [
    '192.0.2.1,a.example',
    '192.0.2.1,2001:db8::1',
    '192.0.2.1,DS 8 2',
    'a b,192.0.2.1',
  ]) {
    assert.deepEqual(readTsv({ answers }), [], answers);
  }
});

test('signatures between the answers are ignored', () => {
  for (const signature of ['RRSIG 1 example.com', '<unknown type=46>']) {
    assert.deepEqual(readTsv({ answers: `192.0.2.1,${signature}` }), [
      `sensor www.example.com. A in . ${at} 192.0.2.1`,
    ]);
  }
});

test('TXT strings are split by their lengths, escaped bytes and commas included', () => {
  const answers = 'TXT 9 v=spf1\\x2c a TXT 3 TXT,TXT 0 ,TXT 2 \\xc3\\xbc';
  assert.deepEqual(readTsv({ qtype: '16', qtype_name: 'TXT', answers }), [
    `sensor www.example.com. TXT in . ${at} "v=spf1, a" "TXT" | "" | "\\195\\188"`,
  ]);
  for (const wrong of ['TXT 4 abc', 'TXT 2 abc', 'TXT x abc', 'TXT 300 a']) {
    assert.deepEqual(readTsv({ qtype: '16', answers: wrong }), [], wrong);
  }
  assert.deepEqual(readTsv({ qtype: '16', answers: 'alias.example,TXT 1 a' }), [
    `sensor www.example.com. CNAME in . ${at} alias.example.`,
    `sensor alias.example. TXT in . ${at} "a"`,
  ]);
});

test('NS and PTR answers are used only when they must be one RRset', () => {
  const ns = { qtype: '2', qtype_name: 'NS', answers: 'ns1.example.net,ns2.example.net' };
  assert.deepEqual(readTsv({ ...ns, TTLs: '300.0,300.0' }), [
    `sensor www.example.com. NS in . ${at} ns1.example.net. | ns2.example.net.`,
  ]);
  assert.deepEqual(readTsv({ ...ns, TTLs: '300.0,60.0' }, { ...ns, TTLs: '-' }), []);
  assert.deepEqual(readTsv({ ...ns, answers: 'alias.example' }), []);
  const ptr = { query: '1.2.0.192.in-addr.arpa', qtype: '12', qtype_name: 'PTR' };
  assert.deepEqual(readTsv({ ...ptr, answers: 'host.example.com' }), [
    `sensor 1.2.0.192.in-addr.arpa. PTR in . ${at} host.example.com.`,
  ]);
  assert.deepEqual(
    readTsv({ ...ptr, answers: '1.0-25.2.0.192.in-addr.arpa,host.example.com', TTLs: '9.0,60.0' }),
    [],
  );
});

test('incomplete answers give nothing', () => {
  const lost = [
    { qtype: '15', qtype_name: 'MX', answers: 'mail.example.com' },
    { qtype: '6', qtype_name: 'SOA', answers: 'ns1.example.com' },
    { qtype: '33', qtype_name: 'SRV', answers: 'sip.example.com' },
    { qtype: '255', qtype_name: '*', answers: '192.0.2.1' },
    { qtype: '65', qtype_name: 'HTTPS', answers: '<unknown type=65>' },
  ];
  assert.deepEqual(readTsv(...lost), []);
});

test('errors, rejections, truncation, other classes and traffic that is not DNS give nothing', () => {
  const passedOver: readonly Changes[] = [
    { rcode: '3', rcode_name: 'NXDOMAIN' },
    { rcode: '-', rcode_name: '-' },
    { rejected: 'T' },
    { TC: 'T' },
    { qclass: '3' },
    { 'id.resp_p': '5353' },
    { 'id.resp_p': '5355' },
    { 'id.resp_p': '137' },
    { 'id.orig_p': '5353' },
    { answers: '-' },
    { answers: '(empty)' },
    { query: '-' },
    { query: 'a\\x2eb.example.com' },
    { answers: 'a\\x00.example,192.0.2.1' },
  ];
  assert.deepEqual(readTsv(...passedOver), []);
});

test('headers may recur and change the fields, the separators and the kind of log', () => {
  const lines = [
    ...headers,
    row({}),
    '#close\t2026-01-28-13-00-00',
    '#separator \\x2c',
    '#set_separator,;',
    '#unset_field,~',
    '#empty_field,none',
    '#path,dns',
    '#fields,answers,query,ts,rcode_name,qtype_name,TTLs',
    '192.0.2.7;192.0.2.8,next.example,1700000001.5,NOERROR,A,~',
    'none,next.example,1700000001.5,NOERROR,A,~',
    '#path,conn',
    '192.0.2.7,next.example,1700000001.5,NOERROR,A,~',
  ];
  assert.deepEqual(shownLines(zeekReader(), lines), [
    `sensor www.example.com. A in . ${at} 192.0.2.1`,
    'sensor next.example. A in . 1700000001-1700000001 x1: 192.0.2.7 | 192.0.2.8',
  ]);
});

test('the JSON form gives the same, with epoch or ISO times', () => {
  const base = {
    query: 'www.example.com',
    qclass: 1,
    qtype: 1,
    qtype_name: 'A',
    rcode: 0,
    rejected: false,
    'id.resp_p': 53,
    answers: ['a.cdn.example', '192.0.2.1'],
    TTLs: [60.0, 30.0],
  };
  const lines = [
    { ...base, ts: 1_700_000_000.25 },
    { ...base, ts: '2023-11-14T22:13:20.250000Z' },
    { ...base, ts: 1_700_000_000, rejected: true },
    { ...base, ts: 1_700_000_000, 'id.resp_p': 5353 },
    { ...base, ts: 1_700_000_000, _path: 'http' },
    { ...base, ts: 1_700_000_000, answers: undefined },
    { _path: 'dns', ts: 1_700_000_000, qtype: 16, query: 'ü.example', rcode: 0, answers: ['TXT 2 ü'] },
  ].map((line) => JSON.stringify(line));
  const expected = [
    `sensor www.example.com. CNAME in . ${at} a.cdn.example.`,
    `sensor a.cdn.example. A in . ${at} 192.0.2.1`,
  ];
  assert.deepEqual(shownLines(zeekReader(), lines), [
    ...expected,
    ...expected,
    `sensor \\195\\188.example. TXT in . ${at} "\\195\\188"`,
  ]);
});

test('malformed lines are reported', () => {
  const lines = [
    row({}),
    '{"ts":',
    ...headers,
    'too\tfew',
    row({ ts: 'now' }),
    '',
    `${row({})}\uFFFD`,
    row({}),
  ];
  assert.deepEqual(shownLines(zeekReader(), lines), [
    'malformed: no fields known',
    'malformed: not JSON',
    'malformed: wrong number of fields',
    'malformed: ts is not a time',
    'malformed: not UTF-8',
    `sensor www.example.com. A in . ${at} 192.0.2.1`,
  ]);
});

test('an RRset that is too large to store is refused', () => {
  const answers = Array.from({ length: 70_000 }, () => '192.0.2.1').join(',');
  assert.deepEqual(readTsv({ answers }), ['malformed: the RRset is too large']);
});
