import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessage } from '../../../src/model/dns/message.ts';
import { dnsnxLine, dnsobsLine } from '../../../src/model/nmsg/nmsg-errors.ts';
import { dnsError, optRecord, soaRecord } from '../../harness/network/dns-errors.ts';
import { noon } from '../../harness/network/encode-dnstap.ts';

const missing = { name: 'Missing.example.com', records: [soaRecord] };

test('a base:dnsobs line has the question, the server, the response code, and the response in two forms', () => {
  const error = dnsError({ ...missing, id: 4711, records: [soaRecord, optRecord([])] });
  const line = dnsobsLine(error);
  assert.ok(line.endsWith('}}\n'));
  assert.deepEqual(JSON.parse(line), {
    time: '2026-03-03 12:00:00.067305985',
    vname: 'base',
    mname: 'dnsobs',
    message: {
      time: noon,
      response_ip: '198.51.100.53',
      qname: 'missing.example.com.',
      qtype: 'A',
      qclass: 'IN',
      rcode: 'NXDOMAIN',
      response: Buffer.from(error.response).toString('base64'),
      response_json: {
        header: {
          opcode: 'QUERY',
          rcode: 'NXDOMAIN',
          id: 4711,
          flags: ['qr', 'aa'],
          opt: { edns: { version: 0, flags: ['do'], udp: 1232, options: [] } },
        },
        question: [{ qname: 'missing.example.com.', qclass: 'IN', qtype: 'A' }],
        answer: [],
        authority: [
          {
            rrname: 'example.com.',
            rrttl: 60,
            rrclass: 'IN',
            rrtype: 'SOA',
            rdata: ['ns1.example.com. hostmaster.example.com. 7 3600 600 86400 60'],
          },
        ],
        additional: [],
      },
      query_zone: 'example.com.',
    },
  });
});

test('a SIE:dnsnx line has the question, the server, the zone of the SOA, the time and the response code', () => {
  assert.deepEqual(JSON.parse(dnsnxLine(dnsError(missing))), {
    time: '2026-03-03 12:00:00.067305985',
    vname: 'SIE',
    mname: 'dnsnx',
    message: {
      qname: 'missing.example.com.',
      qclass: 'IN',
      qtype: 'A',
      response_ip: '198.51.100.53',
      soa_rrname: 'example.com.',
      response_time_sec: noon,
      response_time_nsec: 67_305_985,
      rcode: 'NXDOMAIN',
    },
  });
});

test('unknown members are left out', () => {
  const error = { ...dnsError({ name: 'x.example' }), responseAddress: undefined, queryZone: undefined };
  const [full, short] = [dnsobsLine(error), dnsnxLine(error)].map(
    (line) => JSON.parse(line).message as object,
  );
  for (const member of ['response_ip', 'query_zone', 'soa_rrname']) {
    assert.ok(full && !(member in full) && short && !(member in short));
  }
});

test('an IPv6 address is in its shortest form', () => {
  const responseAddress = Buffer.from('20010db8000000000000000000000053', 'hex');
  const line = dnsnxLine({ ...dnsError(missing), responseAddress });
  assert.equal(JSON.parse(line).message.response_ip, '2001:db8::53');
});

test('response codes, classes and types are mnemonics, or else numbers', () => {
  const shown = (written: { rcode?: number; class?: number; type?: number }) => {
    const { rcode, qclass, qtype } = JSON.parse(dnsobsLine(dnsError({ ...missing, ...written }))).message;
    return `${rcode} ${qclass} ${qtype}`;
  };
  assert.equal(shown({ rcode: 1, class: 3, type: 16 }), 'FORMERR CH TXT');
  assert.equal(shown({ rcode: 2, class: 4, type: 255 }), 'SERVFAIL HS ANY');
  assert.equal(shown({ rcode: 5, class: 5, type: 65_280 }), 'REFUSED CLASS5 TYPE65280');
  assert.equal(shown({ rcode: 15, class: 255, type: 28 }), 'RCODE15 ANY AAAA');
  const badVersion = dnsError({ name: 'x.example', rcode: 0, records: [optRecord([], 0x0100_0000)] });
  assert.equal(JSON.parse(dnsnxLine(badVersion)).message.rcode, 'BADVERS');
});

test('a name is on one line, whatever bytes it has', () => {
  const name = 'a\nb"c\\\x00\xff.example';
  const line = dnsobsLine(dnsError({ name }));
  assert.equal(line.indexOf('\n'), line.length - 1);
  assert.equal(JSON.parse(line).message.qname, 'a\\010b\\"c\\\\\\000\\255.example.');
});

test('of the OPT options only the extended error is kept, because others may identify a client', () => {
  const subnet = Buffer.from([0, 1, 32, 0, 203, 0, 113, 99]);
  const cookie = Buffer.from('client-cookie-16');
  const explanation = Buffer.from('\x00\x06bogus');
  const opt = optRecord([
    [8, subnet],
    [15, explanation],
    [10, cookie],
  ]);
  const line = dnsobsLine(dnsError({ ...missing, records: [opt, soaRecord] }));
  const { response, response_json: json } = JSON.parse(line).message as {
    response: string;
    response_json: { header: { opt: { edns: { options: unknown[] } } } };
  };
  const bytes = Buffer.from(response, 'base64');
  for (const secret of [subnet.subarray(4), cookie.subarray(0, 4)]) assert.ok(!bytes.includes(secret));
  assert.ok(bytes.includes(explanation));
  assert.ok(readMessage(bytes));
  assert.deepEqual(json.header.opt.edns.options, [{ code: 15, data: explanation.toString('hex') }]);
});

test('a message that decompresses to a large one is included in wire form only', () => {
  const label = 'x'.repeat(63);
  const target = `${label}.${label}.${label}.example.com`;
  const records = Array.from({ length: 2000 }, () => ({ owner: target, type: 2, rdata: [target] }));
  const line = dnsobsLine(dnsError({ name: 'x.example', records }));
  const { message } = JSON.parse(line) as { message: object };
  assert.ok('response' in message && !('response_json' in message));
  assert.ok(line.length < 64 * 1024);
});
