import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Seen } from '../../harness/fixtures/observe-rrsets.ts';
import { assertTextError, block, linesOf, sharedPdnsServers } from './pdns-fixture.ts';

const sharedServer = sharedPdnsServers();

const seen: Seen[] = [
  { rrname: 'example.com', rdata: ['192.0.2.1', '192.0.2.2'], count: 3, time_first: 100, time_last: 200 },
  { rrname: 'example.com', rrtype: 'MX', rdata: ['10 mail.example.com', '20 .'] },
  {
    rrname: 'example.com',
    rrtype: 'NS',
    rdata: 'ns.example.net',
    bailiwick: 'com',
    zone_time_first: 7,
    zone_time_last: 9,
  },
  { rrname: 'example.com', rrtype: 'TXT', rdata: '"ends in a dot."' },
  { rrname: '.', rrtype: 'NS', rdata: 'a.example' },
  { rrname: 'other.example', rdata: '192.0.2.1' },
  { rrname: 'six.example', rrtype: 'AAAA', rdata: '2001:db8::1' },
];

test('a name is answered with records in the Common Output Format: integers, arrays, names without the final dot', async () => {
  const server = await sharedServer(seen);
  const answer = await server.call('GET /pdns/query/Example.COM', { key: server.key });
  assert.equal(answer.headers['content-type'], 'application/x-ndjson');
  const some = {
    count: 1,
    time_first: 1_700_000_000,
    time_last: 1_700_000_000,
    bailiwick: 'example.com',
    origin: 'http://127.0.0.1:8080',
  };
  assert.deepEqual(linesOf(answer.text), [
    {
      ...some,
      rrname: 'example.com',
      rrtype: 'A',
      rdata: ['192.0.2.1', '192.0.2.2'],
      count: 3,
      time_first: 100,
      time_last: 200,
    },
    {
      ...some,
      rrname: 'example.com',
      rrtype: 'NS',
      rdata: ['ns.example.net'],
      bailiwick: 'com',
      time_first: 7,
      time_last: 9,
      zone_time_first: 7,
      zone_time_last: 9,
    },
    { ...some, rrname: 'example.com', rrtype: 'MX', rdata: ['10 mail.example.com', '20 .'] },
    { ...some, rrname: 'example.com', rrtype: 'TXT', rdata: ['"ends in a dot."'] },
  ]);
});

test('every name in the data has no final dot, and nothing else loses one', async () => {
  const shown: readonly (readonly [type: string, rdata: string, text: string])[] = [
    ['SOA', 'ns.example. mail\\.box.example. 1 2 3 4 5', 'ns.example mail\\.box.example 1 2 3 4 5'],
    ['RP', 'admin.example. .', 'admin.example .'],
    ['RP', '. text.example.', '. text.example'],
    ['TALINK', 'a.example. dot\\..', 'a.example dot\\.'],
    ['HTTPS', '1 svc.example. alpn=h2', '1 svc.example alpn="h2"'],
    ['NSEC', 'next.example. A NS', 'next.example A NS'],
    ['NAPTR', '1 2 "s" "a. b." "x. " r.example.', '1 2 "s" "a. b." "x. " r.example'],
    ['TXT', '"one. two." "three\\". four. "', '"one. two." "three\\". four. "'],
  ];
  const server = await sharedServer(
    shown.map(([rrtype, rdata], index) => ({ rrname: `n${index}.example`, rrtype, rdata })),
  );
  for (const [index, [type, , text]] of shown.entries()) {
    const headers = { 'dribble-filter-rrtype': type };
    const answer = await server.call(`GET /pdns/query/n${index}.example`, { key: server.key, headers });
    assert.deepEqual(linesOf(answer.text)[0]?.['rdata'], [text], type);
  }
});

test('an address is answered with the records that hold it', async () => {
  const server = await sharedServer(seen);
  const names = async (value: string) =>
    linesOf((await server.call(`GET /pdns/query/${value}`, { key: server.key })).text)
      .map(({ rrname }) => String(rrname))
      .sort();
  assert.deepEqual(await names('192.0.2.1'), ['example.com', 'other.example']);
  assert.deepEqual(await names('2001:db8::1'), ['six.example']);
  assert.deepEqual(await names('2001%3Adb8%3A%3A1'), ['six.example']);
  assert.deepEqual(await names('192.0.2.0,30'), ['example.com', 'example.com', 'other.example']);
  assert.deepEqual(await names('*.example'), ['other.example', 'six.example']);
});

test('no results is an empty response with status 200', async () => {
  const server = await sharedServer(seen);
  const answer = await server.call('GET /pdns/query/none.example', { key: server.key });
  assert.deepEqual([answer.status, answer.text], [200, '']);
});

test('the key is read from Basic, from plain Authorization, or from X-API-Key', async () => {
  const server = await sharedServer(seen);
  const basic = (user: string, password: string) =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  for (const headers of [
    { authorization: basic('anyone', server.key) },
    { authorization: basic('', server.key) },
    { authorization: server.key },
    { 'x-api-key': server.key },
    { 'x-api-key': server.key, authorization: 'Bearer something' },
  ]) {
    assert.equal((await server.call('GET /pdns/query/example.com', { headers })).status, 200);
  }
  for (const headers of [
    {},
    { authorization: basic(server.key, '') },
    { authorization: basic('anyone', 'wrong') },
    { authorization: 'Basic' },
    { authorization: 'Basic !!!' },
    { authorization: 'wrong' },
    { 'x-api-key': 'wrong', authorization: server.key },
  ]) {
    const answer = await server.call('GET /pdns/query/example.com', { headers });
    assertTextError(answer, 401);
    assert.match(String(answer.headers['www-authenticate']), /^Basic realm=/);
  }
});

test('a key without a grant, or used up, is 403, as 401 would ask for other credentials', async () => {
  const server = await sharedServer(seen, {
    pdns: { ...block, quota: { type: 'block', limit: 1, expiresMs: 0 } },
  });
  const answer = await server.call('GET /pdns/query/example.com', { key: server.key });
  assertTextError(answer, 403);
  assert.equal(answer.headers['www-authenticate'], undefined);
});

test('a type whose mnemonic some client does not know is a number, and a string for dnsdbq, which sends no User-Agent', async () => {
  const server = await sharedServer([
    { rrname: 'rare.example', rrtype: 'A' },
    { rrname: 'rare.example', rrtype: 'HTTPS', rdata: '1 .' },
    { rrname: 'rare.example', rrtype: 'TALINK', rdata: 'a.example b.example' },
    { rrname: 'rare.example', rrtype: 'TYPE65400', rdata: '\\# 1 00' },
  ]);
  const types = async (headers: Record<string, string>) => {
    const { text } = await server.call('GET /pdns/query/rare.example', { key: server.key, headers });
    return linesOf(text).map(({ rrtype }) => rrtype);
  };
  assert.deepEqual(await types({ 'user-agent': 'PyPDNS / 2.3.0' }), ['A', 58, 'HTTPS', 65_400]);
  assert.deepEqual(await types({ 'user-agent': '' }), ['A', 'TALINK', 'HTTPS', 'TYPE65400']);
});

test('the cursor of a page is a positive number of at most 4300 digits, whatever the record is', async () => {
  const long = Array.from({ length: 12 }, (_, part) => `"${String(part).padEnd(250, 'x')}"`).join(' ');
  const server = await sharedServer([
    ...['a', 'b', 'c'].map((label) => ({ rrname: `${label}.example`, rrtype: 'TXT', rdata: long })),
    ...['d', 'e'].map((label) => ({ rrname: `${label}.example` })),
  ]);
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const headers = {
      'dribble-paginate-count': '1',
      ...(cursor === undefined ? {} : { 'dribble-paginate-cursor': cursor }),
    };
    const answer = await server.call('GET /pdns/query/*.example', { key: server.key, headers });
    names.push(...linesOf(answer.text).map(({ rrname }) => String(rrname)));
    cursor = answer.headers['x-dribble-cursor'];
    if (cursor !== undefined) assert.match(cursor, /^[1-9]\d{0,4299}$/);
  } while (cursor !== undefined);
  assert.deepEqual(names, ['a.example', 'b.example', 'c.example', 'd.example', 'e.example']);
});

test('paging is requested and continued with headers, and a page is never longer than requested', async () => {
  const names = Array.from({ length: 23 }, (_, index) => ({ rrname: `n${index}.paged.example` }));
  const server = await sharedServer(names);
  for (const count of [1, 5, 22, 23, 50]) {
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const headers = {
        'dribble-paginate-count': String(count),
        ...(cursor === undefined ? {} : { 'dribble-paginate-cursor': cursor }),
      };
      const answer = await server.call('GET /pdns/query/*.paged.example', { key: server.key, headers });
      const lines = linesOf(answer.text);
      assert.ok(lines.length <= count);
      paged.push(...lines.map(({ rrname }) => rrname));
      cursor = answer.headers['x-dribble-cursor'];
      assert.equal(answer.headers['x-result'], cursor === undefined ? 'complete' : 'limited');
    } while (cursor !== undefined);
    assert.equal(paged.length, 23);
    assert.equal(new Set(paged).size, 23);
  }
});

test('a page of very large records ends early and can be continued', async () => {
  const rdata = (index: number) =>
    Array.from(
      { length: 60 },
      (_, part) => `"${String(part).padStart(3, '0').padEnd(200, `x${index}`)}"`,
    ).join(' ');
  const server = await sharedServer(
    Array.from({ length: 400 }, (_, index) => ({
      rrname: `n${index}.large.example`,
      rrtype: 'TXT',
      rdata: rdata(index),
    })),
  );
  let found = 0;
  let pages = 0;
  let cursor: string | undefined;
  do {
    const headers = {
      'dribble-paginate-count': '1000',
      ...(cursor === undefined ? {} : { 'dribble-paginate-cursor': cursor }),
    };
    const answer = await server.call('GET /pdns/query/*.large.example', { key: server.key, headers });
    found += linesOf(answer.text).length;
    pages += 1;
    assert.ok(answer.text.length < 5_000_000);
    cursor = answer.headers['x-dribble-cursor'];
  } while (cursor !== undefined);
  assert.equal(found, 400);
  assert.ok(pages > 1);
});

test('dribble-filter-rrtype selects one type', async () => {
  const server = await sharedServer(seen);
  const filtered = (type: string) =>
    server.call('GET /pdns/query/example.com', {
      key: server.key,
      headers: { 'dribble-filter-rrtype': type },
    });
  assert.deepEqual(
    linesOf((await filtered('MX')).text).map(({ rrtype }) => rrtype),
    ['MX'],
  );
  assert.equal(linesOf((await filtered('')).text).length, 4);
  assertTextError(await filtered('FOO'), 400, /rrtype/);
});

test('malformed requests return 400: no value, two values, a wrong name, a wrong header', async () => {
  const server = await sharedServer(seen);
  const { key } = server;
  for (const path of ['', '/', '/a/b', '/a..b', '/192.0.2.0/24']) {
    assertTextError(await server.call(`GET /pdns/query${path}`, { key }), 400);
  }
  const headers = { 'dribble-paginate-count': 'many' };
  assertTextError(await server.call('GET /pdns/query/a', { key, headers }), 400, /dribble-paginate-count/);
  const wrong = { 'dribble-paginate-cursor': 'x' };
  assertTextError(await server.call('GET /pdns/query/a', { key, headers: wrong }), 400, /cursor/);
});

test('Accept may name NDJSON, JSON or CSV, and nothing else', async () => {
  const server = await sharedServer(seen);
  const { key } = server;
  for (const accept of ['application/x-ndjson', 'application/json', 'text/csv']) {
    const answer = await server.call('GET /pdns/query/example.com', { key, headers: { accept } });
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, accept]);
  }
  const headers = { accept: 'image/png' };
  assertTextError(await server.call('GET /pdns/query/example.com', { key, headers }), 415);
});
