import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Seen } from '../../harness/fixtures/observe-rrsets.ts';
import { assertTextError, sharedPdnsServers } from './pdns-fixture.ts';

const sharedServer = sharedPdnsServers();

const seen: Seen[] = [
  { rrname: 'www.example.com', time_first: 100, time_last: 200, count: 7 },
  {
    rrname: 'www.example.com',
    rdata: '192.0.2.9',
    bailiwick: 'com',
    time_first: 50,
    time_last: 120,
    count: 1,
  },
  { rrname: 'www.example.com', rrtype: 'TXT', rdata: '"Hello World"' },
  { rrname: 'mail1.example.com', rrtype: 'MX', rdata: '10 Exchange.example.net' },
  { rrname: 'mail22.example.org', rrtype: 'CNAME', rdata: 'exchange.example.net' },
  { rrname: 'sign.example.org', rrtype: 'DS', rdata: `1 8 2 ${'ab'.repeat(32)}` },
];

test('PDNS-41 regex and glob over names stream one object for each name and type', async () => {
  const server = await sharedServer(seen);
  const { answer } = await server.query('glob/rrnames/www.*');
  assert.equal(
    answer.text,
    '{"cond":"begin"}\n{"obj":{"rrname":"www.example.com.","rrtype":"A"}}\n{"obj":{"rrname":"www.example.com.","rrtype":"TXT"}}\n{"cond":"succeeded"}\n',
  );
  assert.deepEqual((await server.found('regex/rrnames/^mail[0-9]+%5C.')).sort(), [
    'mail1.example.com. MX',
    'mail22.example.org. CNAME',
  ]);
  assert.deepEqual(await server.found('regex/rrnames/^www/TXT'), ['www.example.com. TXT']);
  assert.deepEqual(await server.found('regex/rrnames/^sign'), [], 'no DNSSEC types');
});

test('PDNS-41 regex and glob over data stream data, type and the data in hex', async () => {
  const server = await sharedServer(seen);
  const mx = '000A0865786368616E6765076578616D706C65036E657400';
  for (const path of ['regex/rdata/exchange/MX', 'glob/rdata/10%20*', 'regex/rdata/^10 ']) {
    const { answer } = await server.query(path);
    assert.equal(
      answer.text,
      `{"cond":"begin"}\n{"obj":{"rdata":"10 exchange.example.net.","rrtype":"MX","raw_rdata":"${mx}"}}\n{"cond":"succeeded"}\n`,
    );
  }
  const { objs } = await server.query('regex/rdata/hello');
  assert.deepEqual(objs, [{ rdata: '"Hello World"', rrtype: 'TXT', raw_rdata: '0B48656C6C6F20576F726C64' }]);
  const [found] = (await server.query(`lookup/rdata/raw/${mx}`)).objs;
  assert.equal(found?.['rrname'], 'mail1.example.com.');
});

test('PDNS-42 patterns match case-insensitively and with the final dot; a glob is anchored, a regex is not', async () => {
  const server = await sharedServer(seen);
  for (const [path, count] of [
    ['glob/rrnames/WWW.EXAMPLE.COM.', 2],
    ['glob/rrnames/www.example.com', 0],
    ['glob/rrnames/*.example.com.', 3],
    ['glob/rrnames/www', 0],
    ['glob/rrnames/www*', 2],
    ['glob/rrnames/mail%3F.example.com.', 1],
    ['glob/rrnames/mail[0-9][!a].*', 1],
    ['regex/rrnames/EXAMPLE', 4],
    ['regex/rrnames/^example', 0],
    ['regex/rrnames/com$', 0],
    ['regex/rrnames/com%5C.$', 3],
    ['regex/rrnames/ail2%2B', 1],
  ] as const) {
    assert.equal((await server.found(path)).length, count, path);
  }
});

test('PDNS-43 exclude drops what matches a second pattern of the same kind, and a plus in it is a plus', async () => {
  const server = await sharedServer(seen);
  for (const [path, count] of [
    ['glob/rrnames/*?exclude=*example.org.', 3],
    ['glob/rrnames/*?exclude=*EXAMPLE*', 0],
    ['regex/rrnames/[a-z]?exclude=^mail[0-9]+', 2],
    ['regex/rrnames/[a-z]?exclude=^mail[0-9]%2B', 2],
    ['regex/rdata/[a-z]?exclude=Hello%20World', 2],
    ['regex/rdata/[a-z]?exclude=Hello+World', 3],
  ] as const) {
    assert.equal((await server.query(path)).objs.length, count, path);
  }
});

for (const path of [
  'regex/rrnames/(',
  'regex/rrnames/a%5Cd',
  'regex/rrnames/(a)%5C1',
  'regex/rrnames/a**',
  'regex/rrnames/[a',
  'glob/rrnames/[a',
  'glob/rrnames/a%5C',
  'regex/rrnames/%C3%BC',
  `regex/rrnames/${'a'.repeat(5000)}`,
  'regex/rrnames/a?exclude=(',
  'regex/rrnames/a/DS',
  'regex/rdata/a/A',
]) {
  test(`PDNS-44 ${path.slice(0, 40)} is outside the permitted syntax: 400`, async () => {
    const server = await sharedServer();
    assertTextError(await server.call(`GET /pdns/v2/${path}`, { key: server.key }), 400);
  });
}

test('PDNS-06 PDNS-08 PDNS-13 PDNS-40 limit, offset, cursor and sort apply to flexible searches', async () => {
  const server = await sharedServer(
    Array.from({ length: 9 }, (_, index) => ({ rrname: `n${index}.example`, time_first: 1000 - index })),
  );
  const all = await server.found('glob/rrnames/n*');
  assert.equal(all.length, 9);
  assert.deepEqual(await server.found('glob/rrnames/n*?limit=3&offset=4'), all.slice(4, 7));
  for (const order of ['', '&sort=time_last']) {
    const paged: string[] = [];
    let cursor = '';
    do {
      const { objs, last } = await server.query(
        `glob/rrnames/n*?limit=2${order}${cursor && `&cursor=${cursor}`}`,
      );
      paged.push(...objs.map(({ rrname, rrtype }) => `${rrname} ${rrtype}`));
      cursor = last['cursor'] ?? '';
      assert.equal(last['cond'], cursor ? 'limited' : 'succeeded');
    } while (cursor);
    assert.deepEqual(order ? paged : [...paged].sort(), order ? [...all].sort() : [...all].sort());
  }
});

test('PDNS-32 time fences and counts apply to name and type merged, and verbose shows them', async () => {
  const server = await sharedServer(seen);
  const { objs } = await server.query('glob/rrnames/www.*/A?verbose=true');
  assert.deepEqual(objs, [
    { rrname: 'www.example.com.', rrtype: 'A', count: 8, time_first: 50, time_last: 200 },
  ]);
  assert.equal((await server.found('glob/rrnames/www.*/A?time_first_after=51')).length, 0);
  assert.equal(
    (await server.found('glob/rrnames/www.*/A?time_last_after=200&min_count=8&max_count=8')).length,
    1,
  );
});
