import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nmsgJsonReader } from '../../../src/collect/rrset-formats/nmsg-json.ts';
import { shownLines } from './shown.ts';

function line(vname: string, mname: string, message: unknown): string {
  return JSON.stringify({ time: '2026-01-28 12:00:00.120000000', vname, mname, source: 'a1ba02cf', message });
}

function dedupe(type: string, changes: Readonly<Record<string, unknown>> = {}): string {
  return line('SIE', 'dnsdedupe', {
    type,
    count: 1,
    time_first: '2026-01-28 11:54:50',
    time_last: '2026-01-28 11:54:50',
    response_ip: '192.0.2.53',
    bailiwick: 'example.com.',
    rrname: 'www.example.com.',
    rrclass: 'IN',
    rrtype: 'CNAME',
    rrttl: 3600,
    rdata: ['example.com.'],
    ...changes,
  });
}

const read = (lines: readonly string[]) => shownLines(nmsgJsonReader(), lines);
const seen = (last: number, count: number) =>
  `sensor www.example.com. CNAME in example.com. 1769601290-${last} x${count}: example.com.`;

test('an insertion counts 1 and the expiration that follows it counts the rest', () => {
  const expiration = dedupe('EXPIRATION', { count: 5, time_last: '2026-01-28 12:30:00' });
  assert.deepEqual(read([dedupe('INSERTION'), expiration]), [seen(1_769_601_290, 1), seen(1_769_603_400, 4)]);
});

test('an insertion is subtracted from one later message only', () => {
  const merged = dedupe('MERGED', { count: 2 });
  const [first, second, third] = [seen(1_769_601_290, 1), seen(1_769_601_290, 1), seen(1_769_601_290, 2)];
  assert.deepEqual(read([dedupe('INSERTION'), merged, merged]), [first, second, third]);
});

test('an expiration with the count of its insertion counts nothing', () => {
  assert.deepEqual(read([dedupe('INSERTION'), dedupe('EXPIRATION')]), [seen(1_769_601_290, 1)]);
});

test('an expiration without its insertion counts in full', () => {
  assert.deepEqual(read([dedupe('EXPIRATION', { count: 5 })]), [seen(1_769_601_290, 5)]);
  const other = dedupe('INSERTION', { rdata: ['example.net.'] });
  assert.equal(read([other, dedupe('EXPIRATION', { count: 5 })]).at(-1), seen(1_769_601_290, 5));
});

test('a malformed insertion is not subtracted from the expiration', () => {
  assert.deepEqual(read([dedupe('INSERTION', { time_last: 'never' }), dedupe('EXPIRATION', { count: 2 })]), [
    'malformed: time_first and time_last are not a period of time',
    seen(1_769_601_290, 2),
  ]);
});

test('merged and authoritative messages have full counts, and a merged insertion counts 1', () => {
  for (const type of ['MERGED', 'MERGED_AUTHORITATIVE', 'AUTHORITATIVE']) {
    assert.deepEqual(read([dedupe(type, { count: 7 })]), [seen(1_769_601_290, 7)]);
  }
  assert.deepEqual(read([dedupe('MERGED_INSERTION', { count: 3 }), dedupe('MERGED', { count: 9 })]), [
    seen(1_769_601_290, 1),
    seen(1_769_601_290, 8),
  ]);
});

test('chaff, unknown types and other classes give nothing', () => {
  const lines = [dedupe('CHAFF'), dedupe('SOMETHING'), dedupe('INSERTION', { rrclass: 'CH' })];
  assert.deepEqual(read(lines), []);
});

test('zone times of a deduplicated RRset make a zone observation', () => {
  const times = {
    time_first: undefined,
    time_last: undefined,
    zone_time_first: '2026-01-01 00:00:00',
    zone_time_last: '2026-01-28 00:00:00',
  };
  assert.deepEqual(read([dedupe('EXPIRATION', { ...times, count: 27 })]), [
    'zone www.example.com. CNAME in example.com. 1767225600-1769558400 x27: example.com.',
  ]);
});

test('a new domain is one sighting at its time', () => {
  const message = {
    domain: 'example.com.',
    time_seen: '2026-01-28 11:59:40',
    bailiwick: 'example.com.',
    rrname: 'www.example.com.',
    rrclass: 'IN',
    rrtype: 'A',
    rdata: ['192.0.2.1'],
    keys: [],
    new_rr: [],
  };
  assert.deepEqual(read([line('SIE', 'newdomain', message)]), [
    'sensor www.example.com. A in example.com. 1769601580-1769601580 x1: 192.0.2.1',
  ]);
});

test('a base dns message has the time of its envelope and no bailiwick', () => {
  const message = {
    section: 1,
    rrname: 'test.example.net.',
    rrclass: 'IN',
    rrtype: 'TXT',
    rdata: ['"Hello"'],
  };
  assert.deepEqual(read([line('base', 'dns', message)]), [
    'sensor test.example.net. TXT in . 1769601600-1769601600 x1: "Hello"',
  ]);
});

const response = {
  header: { opcode: 'QUERY', rcode: 'NOERROR', id: 1, flags: ['qr', 'aa'] },
  question: [{ qname: 'www.example.com.', qclass: 'IN', qtype: 'A' }],
  answer: [
    { rrname: 'www.example.com.', rrttl: 60, rrclass: 'IN', rrtype: 'A', rdata: ['192.0.2.1', '192.0.2.2'] },
  ],
  authority: [{ rrname: 'example.com.', rrttl: 60, rrclass: 'IN', rrtype: 'NS', rdata: ['ns.example.net.'] }],
  additional: [
    { rrname: 'ns.example.net.', rrttl: 60, rrclass: 'IN', rrtype: 'A', rdata: ['192.0.2.53'] },
    { rrname: 'ns2.example.com.', rrttl: 60, rrclass: 'IN', rrtype: 'A', rdata: ['192.0.2.54'] },
  ],
};

test('an observed response yields the RRsets within the queried zone, from all sections', () => {
  const message = {
    time: 1_700_000_000,
    rcode: 'NOERROR',
    query_zone: 'example.com.',
    response_json: response,
  };
  assert.deepEqual(read([line('base', 'dnsobs', message)]), [
    'sensor www.example.com. A in example.com. 1700000000-1700000000 x1: 192.0.2.1 | 192.0.2.2',
    'sensor example.com. NS in example.com. 1700000000-1700000000 x1: ns.example.net.',
    'sensor ns2.example.com. A in example.com. 1700000000-1700000000 x1: 192.0.2.54',
  ]);
});

test('a query-response pair has no zone, so its additional section is not trusted', () => {
  const message = { query_ip: '192.0.2.99', response_time_sec: [1_700_000_001], response_json: response };
  assert.deepEqual(read([line('base', 'dnsqr', message)]), [
    'sensor www.example.com. A in . 1700000001-1700000001 x1: 192.0.2.1 | 192.0.2.2',
    'sensor example.com. NS in . 1700000001-1700000001 x1: ns.example.net.',
  ]);
});

test('errors, truncated responses and messages without a readable response give nothing', () => {
  const headers = [
    { rcode: 'NXDOMAIN', flags: ['qr'] },
    { rcode: 'NOERROR', flags: ['qr', 'tc'] },
    undefined,
    5,
  ];
  const lines = headers.map((header) =>
    line('base', 'dnsobs', { time: 1_700_000_000, response_json: { ...response, header } }),
  );
  assert.deepEqual(read([...lines, line('base', 'dnsobs', { time: 1, response: 'AAAA' })]), []);
});

test('other messages give nothing, and malformed lines are reported', () => {
  const nothing = [line('base', 'http', {}), line('SIE', 'dnsnx', {}), '{}', '', '{"vname":1,"mname":[]}'];
  assert.deepEqual(read(nothing), []);
  assert.deepEqual(read(['x', line('SIE', 'dnsdedupe', []), line('SIE', 'newdomain', { rrname: 'a.' })]), [
    'malformed: not a JSON object',
    'malformed: message is not a JSON object',
    'malformed: rrtype is not a type of data',
  ]);
});
