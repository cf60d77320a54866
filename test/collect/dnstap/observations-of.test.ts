import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { observationsOf, type ResponseKind } from '../../../src/collect/dnstap/observations-of.ts';
import { nameText } from '../../../src/model/dns/name.ts';
import { rdataText } from '../../../src/model/dns/rdata-text.ts';
import { typeText } from '../../../src/model/dns/rr-type.ts';
import type { Rrset } from '../../../src/model/dns/rrset.ts';
import { encodeMessage, type WrittenMessage, wireName } from '../../harness/network/encode-dns-message.ts';
import {
  bytesField,
  encodeDnstap,
  noon,
  numberField,
  type WrittenDnstap,
} from '../../harness/network/encode-dnstap.ts';

const [a, ns, soaType, txt, opt, tsig, unknown] = [1, 2, 6, 16, 41, 250, 65_280];
const numbers20 = new Uint8Array(20);
const address = (last: number) => Uint8Array.of(192, 0, 2, last);
const www = (last: number) => ({ owner: 'www.example.com', type: a, rdata: [address(last)] });

interface Written extends Omit<WrittenDnstap, 'message' | 'zone'>, Omit<WrittenMessage, 'id'> {
  readonly zone?: string | Uint8Array | undefined;
  readonly message?: Uint8Array;
}

function reading(written: Written, kinds?: readonly ResponseKind[]) {
  const { kind, seconds, zone = 'example.com', message = encodeMessage(written) } = written;
  const frame = encodeDnstap({
    message,
    ...(kind !== undefined && { kind }),
    ...(seconds !== undefined && { seconds }),
    zone: typeof zone === 'string' ? wireName(zone) : zone,
  });
  return observationsOf(frame, noon, kinds);
}

const withoutZone = new Uint8Array(0);

const inWords = ({ owner, type, bailiwick, rdata }: Rrset) =>
  `${nameText(owner)} ${typeText(type)} [${nameText(bailiwick)}] ${rdata.map((each) => rdataText(type, each)).join(', ')}`;

function observed(written: Written, kinds?: readonly ResponseKind[]): string[] {
  const read = reading(written, kinds);
  assert.equal(read.outcome, 'observed', JSON.stringify(read));
  return read.outcome === 'observed' ? read.rrsets.map(inWords) : [];
}

function reason(written: Written, kinds?: readonly ResponseKind[]): string {
  const read = reading(written, kinds);
  return 'reason' in read ? `${read.outcome}: ${read.reason}` : read.outcome;
}

test('an answer becomes one RRset per owner and type, with one sighting at the time of the response', () => {
  const read = reading({ records: [www(2), www(1)] });
  assert.deepEqual(read, {
    outcome: 'observed',
    rrsets: [
      {
        origin: 'sensor',
        owner: wireName('www.example.com'),
        type: a,
        bailiwick: wireName('example.com'),
        rdata: [address(1), address(2)],
        firstSeconds: noon,
        lastSeconds: noon,
        count: 1,
      },
    ],
  });
});

test('records of all sections are kept, but only within the bailiwick', () => {
  const records = [
    www(1),
    { owner: 'www.example.net', type: a, rdata: [address(9)] },
    { owner: 'www.notexample.com', type: a, rdata: [address(9)] },
    { owner: 'com', type: ns, rdata: ['ns.evil.example'] },
    { section: 'authority' as const, owner: 'example.com', type: ns, rdata: ['ns1.example.com'] },
    { section: 'authority' as const, owner: 'example.com', type: ns, rdata: ['ns.example.net'] },
    { section: 'additional' as const, owner: 'ns1.example.com', type: a, rdata: [address(53)] },
    { section: 'additional' as const, owner: 'ns.example.net', type: a, rdata: [address(9)] },
  ];
  assert.deepEqual(observed({ records }), [
    'www.example.com. A [example.com.] 192.0.2.1',
    'example.com. NS [example.com.] ns.example.net., ns1.example.com.',
    'ns1.example.com. A [example.com.] 192.0.2.53',
  ]);
});

test('an RRset that occurs twice in a message counts once', () => {
  const records = [www(1), www(2), { ...www(2), section: 'additional' as const }, www(1)];
  const [rrset, ...others] = observed({ records });
  assert.equal(rrset, 'www.example.com. A [example.com.] 192.0.2.1, 192.0.2.2');
  assert.deepEqual(others, []);
});

test('letter case of owner and zone is ignored', () => {
  const records = [www(1), { owner: 'WWW.eXample.COM', type: a, rdata: [address(2)] }];
  assert.deepEqual(observed({ zone: 'Example.Com', records }), [
    'www.example.com. A [example.com.] 192.0.2.1, 192.0.2.2',
  ]);
});

test('meta records and other classes are left out', () => {
  const records = [
    www(1),
    { owner: 'version.example.com', type: txt, class: 3, rdata: [Buffer.from('\x01x')] },
    { owner: 'key.example.com', type: tsig, rdata: [Buffer.from('x')] },
    { section: 'additional' as const, owner: '', type: opt, class: 1232, ttl: 0, rdata: [] },
    { section: 'additional' as const, owner: '', type: opt, class: 1, ttl: 0, rdata: [] },
  ];
  assert.deepEqual(observed({ zone: 'example.com', records }), [
    'www.example.com. A [example.com.] 192.0.2.1',
  ]);
  assert.equal(reason({ zone: '', records: records.slice(1) }), 'ignored: nothing-to-keep');
});

test('truncated responses and messages that are no responses are ignored', () => {
  const records = [www(1)];
  assert.equal(reason({ records, flags: 0x8600 }), 'ignored: truncated');
  assert.equal(reason({ records, flags: 0x0400 }), 'ignored: no-answer');
  assert.equal(reason({ records, flags: 0xa800 }), 'ignored: no-answer');
  assert.equal(reason({ records: [] }), 'ignored: nothing-to-keep');
});

const question = { name: 'Missing.example.com', type: a };
const badVersion = { section: 'additional' as const, owner: '', type: opt, ttl: 0x0100_0000, rdata: [] };

test('an error response is reported with its server and the whole message', () => {
  const soa = {
    section: 'authority' as const,
    owner: 'example.com',
    type: soaType,
    rdata: ['a', 'b', numbers20],
  };
  const message = encodeMessage({ flags: 0x8403, question, records: [soa] });
  const read = reading({ message });
  assert.ok(read.outcome === 'error');
  const { message: decoded, ...rest } = read.error;
  assert.deepEqual(rest, {
    responseTimeSeconds: noon,
    responseTimeNanoseconds: 67_305_985,
    responseAddress: Buffer.from([198, 51, 100, 53]),
    queryZone: wireName('example.com'),
    question: { name: wireName('missing.example.com'), type: a, class: 1 },
    response: Buffer.from(message),
  });
  assert.equal(decoded.rcode, 3);
  assert.deepEqual(
    decoded.records.map(({ section, owner }) => [section, nameText(owner)]),
    [['authority', 'example.com.']],
  );
});

test('every RCODE but 0 is an error, extended ones included', () => {
  for (let rcode = 1; rcode < 16; rcode++) {
    const read = reading({ flags: 0x8400 + rcode, question });
    assert.ok(read.outcome === 'error');
    assert.equal(read.error.message.rcode, rcode);
  }
  const read = reading({ question, records: [www(1), badVersion] });
  assert.ok(read.outcome === 'error');
  assert.equal(read.error.message.rcode, 16);
});

test('an error is reported whatever its zone, since it carries no data to trust', () => {
  for (const zone of [withoutZone, Uint8Array.of(0xc0, 0)]) {
    for (const written of [{ flags: 0x8402 }, { records: [badVersion] }]) {
      const read = reading({ ...written, zone, question });
      assert.ok(read.outcome === 'error');
      assert.equal(read.error.queryZone, undefined);
    }
  }
});

test('an error without question, truncated or of a disabled type is ignored, and a malformed one is malformed', () => {
  assert.equal(reason({ flags: 0x8401 }), 'ignored: no-question');
  assert.equal(reason({ flags: 0x8603, question }), 'ignored: truncated');
  assert.equal(reason({ flags: 0x8403, question, kind: 6 }), 'ignored: kind');
  assert.equal(reason({ flags: 0x8403, question, kind: 6 }, ['CLIENT_RESPONSE']), 'error');
  const message = encodeMessage({ flags: 0x8403, question, records: [www(1)] });
  assert.equal(reason({ message: message.subarray(0, -1) }), 'malformed: message');
  assert.equal(reason({ flags: 0x8403, question, seconds: 0 }), 'malformed: time');
});

test('the server address is reported only if it has a valid length', () => {
  const message = encodeMessage({ flags: 0x8403, question });
  for (const length of [0, 3, 4, 5, 16, 17]) {
    const server = bytesField(5, Buffer.alloc(length, 7));
    const inner = [numberField(1, 4), server, numberField(12, noon), bytesField(14, message)];
    const read = observationsOf(bytesField(14, Buffer.concat(inner)), noon);
    assert.ok(read.outcome === 'error');
    assert.equal(read.error.responseAddress?.length, [4, 16].includes(length) ? length : undefined);
  }
});

test('a truncated response is ignored even if its records are incomplete', () => {
  const message = encodeMessage({ flags: 0x8600, records: [www(1)] });
  assert.equal(reason({ message: message.subarray(0, -2) }), 'ignored: truncated');
});

test('a frame without a response is ignored', () => {
  const frame = encodeDnstap({ zone: wireName('example.com') });
  assert.deepEqual(observationsOf(frame, noon), { outcome: 'ignored', reason: 'no-response' });
});

const numbers = {
  AUTH_RESPONSE: 2,
  RESOLVER_RESPONSE: 4,
  CLIENT_RESPONSE: 6,
  FORWARDER_RESPONSE: 8,
} as const;

test('by default only resolver and forwarder responses are used', () => {
  for (const kind of [4, 8]) assert.equal(reason({ kind, records: [www(1)] }), 'observed');
  for (const kind of [1, 2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15])
    assert.equal(reason({ kind, records: [www(1)] }), 'ignored: kind');
});

test('client and authoritative responses are used when enabled, and no other types then', () => {
  for (const [name, kind] of Object.entries(numbers)) {
    for (const wanted of Object.keys(numbers) as ResponseKind[]) {
      const outcome = wanted === name ? 'observed' : 'ignored: kind';
      assert.equal(reason({ kind, records: [www(1)] }, [wanted]), outcome);
    }
  }
});

test('a RESOLVER_RESPONSE without a zone is ignored, because no server is trusted for all names', () => {
  assert.equal(reason({ zone: withoutZone, records: [www(1)] }), 'ignored: no-zone');
  const frame = encodeDnstap({ message: encodeMessage({ records: [www(1)] }) });
  assert.deepEqual(observationsOf(frame, noon), { outcome: 'ignored', reason: 'no-zone' });
});

test('other types have the zone as bailiwick, and the root where the writer names none', () => {
  const kinds = Object.keys(numbers) as ResponseKind[];
  for (const kind of [2, 6, 8]) {
    assert.deepEqual(observed({ kind, zone: withoutZone, records: [www(1)] }, kinds), [
      'www.example.com. A [.] 192.0.2.1',
    ]);
    assert.deepEqual(observed({ kind, zone: 'com', records: [www(1)] }, kinds), [
      'www.example.com. A [com.] 192.0.2.1',
    ]);
  }
});

test('a zone that is not an uncompressed name is malformed', () => {
  for (const zone of [
    [0, 0],
    [3, 99],
    [0xc0, 0],
    [1, 97],
    [64, ...Array(64).fill(97), 0],
  ])
    assert.equal(reason({ zone: Uint8Array.from(zone), records: [www(1)] }), 'malformed: zone');
});

test('a response without time, or from more than a day ahead, is malformed', () => {
  const records = [www(1)];
  assert.equal(reason({ records, seconds: 0 }), 'malformed: time');
  assert.equal(reason({ records, seconds: noon + 86_401 }), 'malformed: time');
  assert.equal(reason({ records, seconds: noon + 86_400 }), 'observed');
  assert.equal(reason({ records, seconds: 1 }), 'observed');
});

test('a malformed message makes the frame malformed', () => {
  const message = encodeMessage({ records: [www(1)] });
  assert.equal(reason({ message: message.subarray(0, -1) }), 'malformed: message');
  assert.equal(reason({ message: message.subarray(0, 11) }), 'malformed: message');
  assert.deepEqual(observationsOf(Buffer.from('no protobuf'), noon), {
    outcome: 'malformed',
    reason: 'frame',
  });
});

test('an RRset that is too large to store is dropped, and the others are kept', () => {
  const target = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.example.com`;
  const packed = [...Array(2000).keys()].map((index) => ({
    owner: 'many.example.com',
    type: ns,
    rdata: [`n${index}.${target}`],
  }));
  const message = encodeMessage({ records: [www(1), ...packed] });
  assert.ok(message.length < 65_536);
  assert.deepEqual(observed({ message }), ['www.example.com. A [example.com.] 192.0.2.1']);
  assert.equal(reason({ message: encodeMessage({ records: packed }) }), 'ignored: nothing-to-keep');
});

test('every RRset of any message is within its bailiwick, in byte order and without duplicates', () => {
  const name = fc.constantFrom(
    'example.com',
    'a.example.com',
    'B.example.COM',
    'example.net',
    'com',
    'xexample.com',
  );
  const record = fc.record({
    owner: name,
    type: fc.constantFrom(a, unknown, opt),
    class: fc.constantFrom(1, 3),
    rdata: fc.constantFrom(address(1), address(2), address(3)).map((each) => [each]),
    section: fc.constantFrom('answer' as const, 'authority' as const, 'additional' as const),
    ttl: fc.nat(1000),
  });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 30 }), (records) => {
      const isKept = (each: (typeof records)[number]) =>
        each.class === 1 && each.type !== opt && /(^|\.)example\.com$/i.test(each.owner);
      const expected = new Map<string, Set<string>>();
      for (const each of records.filter(isKept)) {
        const key = `${each.owner.toLowerCase()}. ${each.type}`;
        const members = expected.get(key) ?? new Set();
        expected.set(key, members.add(Buffer.from(each.rdata[0] as Uint8Array).toString('hex')));
      }
      const read = reading({ records });
      const rrsets = read.outcome === 'observed' ? read.rrsets : [];
      const found = rrsets.map(({ owner, type, rdata }) => [
        `${nameText(owner)} ${type}`,
        rdata.map((each) => Buffer.from(each).toString('hex')),
      ]);
      assert.deepEqual(
        Object.fromEntries(found),
        Object.fromEntries([...expected].map(([key, members]) => [key, [...members].sort()])),
      );
    }),
  );
});

test('arbitrary bytes never throw', () => {
  const whole = encodeDnstap({
    zone: wireName('example.com'),
    message: encodeMessage({ records: [www(1), www(2)] }),
  });
  const noise = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 });
  fc.assert(
    fc.property(noise, fc.nat(whole.length), (changes, length) => {
      const bytes = Buffer.from(whole.subarray(0, length));
      for (const [at, byte] of changes) bytes[at] = byte;
      observationsOf(bytes, noon);
    }),
    { numRuns: 1000 },
  );
});
