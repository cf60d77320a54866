/** The requests of PyPDNS 2.3.1, byte for byte, and what it reads from the responses. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unrestricted } from '../../api/pdns/pdns-fixture.ts';
import type { RawResponse } from '../../harness/server/raw-connection.ts';
import { clientWorld, replayer } from './client-world.ts';

const world = await clientWorld({ after });
const replay = replayer(world, 'pypdns.http');

interface PdnsRecord {
  readonly rrname: string;
  readonly rrtype: string | number;
  readonly rdata: string | readonly string[];
}

/** What it raises for a status. */
function errorOf({ status }: RawResponse): string | undefined {
  if (status === 200) return undefined;
  const named = { 401: 'UnauthorizedError', 403: 'ForbiddenError', 429: 'RateLimitError' } as const;
  return named[status as keyof typeof named] ?? (status >= 500 ? 'ServerError' : 'PDNSError');
}

/** Lines of JSON whose members must have the types that it insists on. */
function recordsOf(response: RawResponse): PdnsRecord[] {
  assert.equal(errorOf(response), undefined, response.text);
  return response.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const record = JSON.parse(line);
      assert.equal(typeof record.rrname, 'string');
      assert.ok(typeof record.rrtype === 'string' || Number.isInteger(record.rrtype));
      assert.ok(Array.isArray(record.rdata));
      for (const name of ['time_first', 'time_last', 'count'])
        assert.ok(Number.isInteger(record[name]), line);
      for (const name of ['zone_time_first', 'zone_time_last'])
        if (name in record) assert.ok(Number.isInteger(record[name]), line);
      if ('bailiwick' in record) assert.equal(typeof record.bailiwick, 'string');
      assert.equal(response.headers['x-dribble-errors'], undefined);
      return record;
    });
}

const shown = (response: RawResponse) =>
  recordsOf(response).map(({ rrname, rrtype, rdata }) => [rrname, rrtype, ...[rdata].flat()].join(' '));

/** `int()` of Python, which reads at most 4300 digits; the client writes the number back with `str()`. */
function asInt(text: string): string {
  assert.match(text, /^\s*\d{1,4300}\s*$/);
  const number = BigInt(text);
  assert.ok(number > 0n, 'only a positive cursor is sent back');
  return String(number);
}

for (const kind of ['page', 'page of one type']) {
  test(`every ${kind} is read on one connection, the cursor as an integer`, async () => {
    const connection = await world.open();
    const pages: number[] = [];
    const names = new Set<string>();
    let response = await replay(`first ${kind}`, {}, connection);
    for (;;) {
      const records = recordsOf(response);
      pages.push(records.length);
      for (const { rrname } of records) names.add(rrname);
      const cursor = response.headers['x-dribble-cursor'];
      if (cursor === undefined) break;
      response = await replay(`next ${kind}`, { cursor: asInt(cursor) }, connection);
    }
    assert.deepEqual(pages, [50, 50, 20]);
    assert.equal(names.size, 120);
  });
}

test('names, addresses and types are found', async () => {
  const found: Readonly<Record<string, readonly string[]>> = {
    'a name': [
      'example.com NS ns1.example.net ns2.example.net',
      'example.com MX 10 mail.example.net',
      'example.com TXT "v=spf1 -all"',
    ],
    'one type': ['example.com MX 10 mail.example.net'],
    'an address': ['xn--bcher-kva.example A 192.0.2.99'],
    'an IPv6 address': ['six.example AAAA 2001:db8::25'],
    token: ['six.example AAAA 2001:db8::25'],
    'a name in Unicode': [],
    'an unknown name': [],
  };
  for (const [name, records] of Object.entries(found)) {
    assert.deepEqual(shown(await replay(name)), records, name);
  }
});

test('a type that dnspython does not know is a number, which it accepts', async () => {
  const response = await replay('rare types');
  assert.deepEqual(
    recordsOf(response).map(({ rrtype }) => rrtype),
    [58, 65_400],
  );
  assert.deepEqual(shown(response), ['rare.example 58 a.example b.example', 'rare.example 65400 \\# 1 00']);
});

test('missing and wrong credentials are an UnauthorizedError, with the challenge of RFC 7235', async () => {
  for (const name of ['wrong password', 'no credentials']) {
    const response = await replay(name);
    assert.equal(errorOf(response), 'UnauthorizedError', name);
    assert.match(response.headers['www-authenticate'] ?? '', /^Basic realm="/);
  }
});

test('a malformed name, a used up quota and a key without a grant have an error class each', async () => {
  const quota = { type: 'time', limit: 1, period: 86_400 } as const;
  const limited = await world.server.user({ pdns: { ...unrestricted, quota } });
  const ungranted = await world.server.user({ pdns: null });
  const basic = (key: string) => ({ basic: Buffer.from(`alice:${key}`).toString('base64') });
  assert.equal(errorOf(await replay('a malformed name')), 'PDNSError');
  assert.equal(errorOf(await replay('a name', basic(limited.key))), undefined);
  assert.equal(errorOf(await replay('a name', basic(limited.key))), 'RateLimitError');
  assert.equal(errorOf(await replay('a name', basic(ungranted.key))), 'ForbiddenError');
});
