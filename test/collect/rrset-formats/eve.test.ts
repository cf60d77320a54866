import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eveReader } from '../../../src/collect/rrset-formats/eve.ts';
import { shownLines } from './shown.ts';

const envelope = {
  timestamp: '2023-11-14T22:13:20.123456+0000',
  flow_id: 11,
  event_type: 'dns',
  src_ip: '198.51.100.7',
  src_port: 40_000,
  dest_ip: '192.0.2.53',
  dest_port: 53,
  proto: 'UDP',
};
type Members = Readonly<Record<string, unknown>>;

function event(dns: unknown, changes: Members = {}): string {
  return JSON.stringify({ ...envelope, dns, ...changes });
}

const v2 = (members: Members) => ({
  version: 2,
  type: 'answer',
  id: 7,
  rcode: 'NOERROR',
  rrname: 'www.example.com',
  rrtype: 'A',
  ...members,
});
const rr = (rrname: string, rrtype: string, rdata: unknown) => ({ rrname, rrtype, ttl: 60, rdata });
const read = (...lines: readonly string[]) => shownLines(eveReader(), lines);
const at = '1700000000-1700000000 x1:';

test('version 2: answers and authorities are grouped into RRsets', () => {
  const dns = v2({
    answers: [
      rr('www.example.com', 'CNAME', 'edge.example.net'),
      rr('edge.example.net', 'A', '192.0.2.1'),
      rr('Edge.example.net', 'A', '192.0.2.2'),
    ],
    grouped: { A: ['192.0.2.1', '192.0.2.2'], CNAME: ['edge.example.net'] },
    authorities: [rr('example.net', 'NS', 'ns1.example.net'), rr('example.net', 'NS', 'ns2.example.net')],
  });
  assert.deepEqual(read(event(dns)), [
    `sensor www.example.com. CNAME in . ${at} edge.example.net.`,
    `sensor edge.example.net. A in . ${at} 192.0.2.1 | 192.0.2.2`,
    `sensor example.net. NS in . ${at} ns1.example.net. | ns2.example.net.`,
  ]);
});

test('version 2: grouped answers follow CNAMEs from the question', () => {
  const dns = v2({
    grouped: { A: ['192.0.2.1'], CNAME: ['a.example.net', 'b.example.net'], MX: ['mail.example'] },
  });
  assert.deepEqual(read(event(dns)), [
    `sensor www.example.com. CNAME in . ${at} a.example.net.`,
    `sensor a.example.net. CNAME in . ${at} b.example.net.`,
    `sensor b.example.net. A in . ${at} 192.0.2.1`,
  ]);
  assert.deepEqual(read(event(v2({ grouped: { CNAME: ['a\\x00b.example'], A: ['192.0.2.1'] } }))), []);
});

test('version 3: the question is a list and the message a response', () => {
  const question = {
    queries: [{ rrname: 'www.example.org', rrtype: 'A' }],
    rrname: undefined,
    rrtype: undefined,
  };
  const dns = v2({ version: 3, type: 'response', ...question, grouped: { A: ['192.0.2.9'] } });
  assert.deepEqual(read(event(dns)), [`sensor www.example.org. A in . ${at} 192.0.2.9`]);
});

test('SOA, SRV and SSHFP are nested objects, in answers and in groups', () => {
  const soa = {
    mname: 'ns1.example.com',
    rname: 'hostmaster.example.com',
    serial: 4_294_967_295,
    refresh: 7200,
    retry: 3600,
    expire: 1_209_600,
    minimum: 300,
  };
  const srv = { priority: 0, weight: 5, port: 5060, name: 'sip.example.com' };
  const sshfp = {
    fingerprint: 'ab:cd:ef:01:02:03:04:05:06:07:08:09:0a:0b:0c:0d:0e:0f:10:11',
    algo: 1,
    type: 1,
  };
  const shown = [
    `sensor example.com. SOA in . ${at} ns1.example.com. hostmaster.example.com. 4294967295 7200 3600 1209600 300`,
    `sensor _sip._udp.example.com. SRV in . ${at} 0 5 5060 sip.example.com.`,
    `sensor host.example.com. SSHFP in . ${at} 1 1 abcdef0102030405060708090a0b0c0d0e0f1011`,
  ];
  const answers = [
    { rrname: 'example.com', rrtype: 'SOA', soa },
    { rrname: '_sip._udp.example.com', rrtype: 'SRV', srv },
    { rrname: 'host.example.com', rrtype: 'SSHFP', sshfp },
  ];
  const lower = (lines: readonly string[]) =>
    lines.map((line) => line.replace(/[0-9A-F]{40}$/, (hex) => hex.toLowerCase()));
  assert.deepEqual(lower(read(event(v2({ answers })))), shown);
  const grouped = v2({ rrname: 'host.example.com', grouped: { SSHFP: [sshfp] } });
  assert.deepEqual(lower(read(event(grouped))), shown.slice(2));
});

test('nested objects with wrong members leave their RRset out', () => {
  const wrong = [
    ['SRV', { srv: { priority: 65_536, weight: 5, port: 5060, name: 'sip.example.com' } }],
    ['SRV', { srv: { priority: 1, weight: 5, name: 'sip.example.com' } }],
    ['SRV', { srv: { priority: 1, weight: 5, port: 1, name: 5 } }],
    ['SSHFP', { sshfp: { fingerprint: 'xyz', algo: 1, type: 1 } }],
    ['SOA', { soa: { mname: 'a', rname: 'b', serial: '1' } }],
    ['A', { soa: {} }],
  ] as const;
  const answers = wrong.map(([rrtype, members], index) => ({
    rrname: `n${index}.example`,
    rrtype,
    ...members,
  }));
  assert.deepEqual(read(event(v2({ answers }))), []);
});

test('an RRset with an incomplete member is dropped, and the others stay', () => {
  const answers = [
    rr('a.example', 'A', '192.0.2.1'),
    rr('a.example', 'A', undefined),
    rr('a.example', 'MX', 'mail.example'),
    { ...rr('b.example', 'CNAME', 'longname.example'), rdata_truncated: true },
    { ...rr('c.example', 'A', '192.0.2.3'), rrname_truncated: true },
    rr('d.example', 'A', '192.0.2.4'),
  ];
  assert.deepEqual(read(event(v2({ answers }))), [`sensor d.example. A in . ${at} 192.0.2.4`]);
});

test('a TXT record is used if it is a single string; several may be one record or many', () => {
  assert.deepEqual(read(event(v2({ answers: [rr('t.example', 'TXT', 'v=spf1 -all')] }))), [
    `sensor t.example. TXT in . ${at} "v=spf1 -all"`,
  ]);
  assert.deepEqual(
    read(event(v2({ answers: [rr('t.example', 'TXT', 'a'), rr('t.example', 'TXT', 'b')] }))),
    [],
  );
  assert.deepEqual(read(event(v2({ grouped: { TXT: ['a', 'b', 'c'] } }))), []);
});

test('version 1: the events of one message form one RRset, even if others are interleaved', () => {
  const v1 = (rrname: string, rdata: string, id: number) =>
    event({ type: 'answer', id, rcode: 'NOERROR', rrname, rrtype: 'A', ttl: 60, rdata });
  const lines = [
    v1('a.example', '192.0.2.1', 1),
    v1('b.example', '192.0.2.9', 2),
    v1('a.example', '192.0.2.2', 1),
  ];
  assert.deepEqual(read(...lines, v1('a.example', '192.0.2.1', 3)), [
    `sensor a.example. A in . ${at} 192.0.2.1 | 192.0.2.2`,
    `sensor b.example. A in . ${at} 192.0.2.9`,
    `sensor a.example. A in . ${at} 192.0.2.1`,
  ]);
});

test('version 1: RRsets are emitted while the file is read, not only at its end', () => {
  const reader = eveReader();
  const kinds = Array.from({ length: 2000 }, (_, id) =>
    reader.line(
      event({ type: 'answer', id, rcode: 'NOERROR', rrname: 'a.example', rrtype: 'A', rdata: '192.0.2.1' }),
    ),
  ).map((outcome) => outcome.kind);
  assert.equal(kinds.filter((kind) => kind === 'observations').length, 2000 - 1024);
});

test('queries, errors, truncated messages, other events and traffic that is not DNS give nothing', () => {
  const answers = [rr('www.example.com', 'A', '192.0.2.1')];
  assert.deepEqual(
    read(
      event(v2({ type: 'query', answers })),
      event(v2({ type: 'request', answers })),
      event(v2({ rcode: 'NXDOMAIN', answers })),
      event(v2({ tc: true, answers })),
      event(v2({ answers }), { event_type: 'alert' }),
      event(v2({ answers }), { src_port: 5353 }),
      event(v2({ answers }), { dest_port: 137 }),
      event(v2({})),
      event({ type: 'answer', rcode: 'NOERROR', rrname: 'www.example.com' }),
      event(undefined),
      '',
    ),
    [],
  );
});

test('the root is an empty name', () => {
  assert.deepEqual(read(event(v2({ rrname: '', answers: [rr('', 'NS', 'a.root-servers.example')] }))), [
    `sensor . NS in . ${at} a.root-servers.example.`,
  ]);
});

test('malformed events are reported', () => {
  const answers = [rr('www.example.com', 'A', '192.0.2.1')];
  const lines = ['[', event(v2({ answers }), { timestamp: 'now' }), event(v2({ answers: ['\uFFFD'] }))];
  assert.deepEqual(read(...lines), [
    'malformed: not a JSON object',
    'malformed: timestamp is not a time',
    'malformed: not UTF-8',
  ]);
});
