import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { type Seen, someTime } from '../../harness/fixtures/observe-rrsets.ts';
import { callOverSocket } from '../../harness/server/call-over-socket.ts';
import { assertTextError, daily, framed, linesOf, pdnsServer, sharedPdnsServers } from './pdns-fixture.ts';

const sharedServer = sharedPdnsServers();

const www: Seen = {
  rrname: 'www.example.com',
  rdata: ['192.0.2.2', '192.0.2.1'],
  bailiwick: 'example.com',
  count: 41,
  time_first: 1_700_000_000,
  time_last: 1_700_090_000,
};
const delegation: Seen = {
  rrname: 'example.com',
  rrtype: 'NS',
  rdata: ['ns1.example.net', 'ns2.example.net'],
  bailiwick: 'com',
  count: 12,
  zone_time_first: 1_690_000_000,
  zone_time_last: 1_700_000_000,
};

const wwwLine =
  '{"obj":{"count":41,"time_first":1700000000,"time_last":1700090000,"rrname":"www.example.com.","rrtype":"A","bailiwick":"example.com.","rdata":["192.0.2.1","192.0.2.2"]}}';
const delegationLine =
  '{"obj":{"count":12,"zone_time_first":1690000000,"zone_time_last":1700000000,"rrname":"example.com.","rrtype":"NS","bailiwick":"com.","rdata":["ns1.example.net.","ns2.example.net."]}}';

test('PDNS-02 PDNS-04 PDNS-09 PDNS-10 PDNS-11 PDNS-15 PDNS-17 a lookup streams the RRsets of the owner, byte for byte as documented', async () => {
  const server = await sharedServer([www, delegation]);
  const headers = { accept: 'application/x-ndjson' };
  const { answer } = await server.query('lookup/rrset/name/www.example.com', { headers });
  assert.equal(answer.headers['content-type'], 'application/x-ndjson');
  assert.equal(answer.text, `{"cond":"begin"}\n${wwwLine}\n{"cond":"succeeded"}\n`);
  assert.equal(answer.headers['content-length'], String(answer.text.length));
  const zone = await server.query('lookup/rrset/name/example.com', { headers });
  assert.equal(zone.answer.text, `{"cond":"begin"}\n${delegationLine}\n{"cond":"succeeded"}\n`);
});

for (const accept of [
  undefined,
  '*/*',
  'application/*',
  'text/html, */*;q=0.1',
  'APPLICATION/X-NDJSON; q=1',
]) {
  test(`PDNS-05 with Accept ${accept ?? 'absent'} the answer is NDJSON`, async () => {
    const server = await sharedServer([www, delegation]);
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const { answer, objs } = await server.query('lookup/rrset/name/www.example.com', { headers });
    assert.equal(answer.headers['content-type'], 'application/x-ndjson');
    assert.equal(objs.length, 1);
  });
}

const hosts = (count: number): Seen[] =>
  Array.from({ length: count }, (_, index) => ({
    rrname: `host${index}.example.com`,
    time_first: someTime + index,
  }));

test('PDNS-06 PDNS-08 PDNS-13 limit and offset select the records, and cond is limited only when more exist', async () => {
  const server = await sharedServer(hosts(7));
  const all = await server.found('lookup/rrset/name/*.example.com');
  assert.equal(all.length, 7);
  for (const [limit, offset] of [
    [1, 0],
    [3, 2],
    [6, 0],
    [7, 0],
    [8, 0],
    [6, 1],
    [2, 6],
    [5, 7],
    [5, 900],
  ] as const) {
    const path = `lookup/rrset/name/*.example.com?limit=${limit}&offset=${offset}`;
    const { objs, last, lines } = await server.query(path);
    assert.deepEqual(
      objs.map(({ rrname, rrtype }) => `${rrname} ${rrtype}`),
      all.slice(offset, offset + limit),
    );
    assert.equal(lines.length, objs.length + 2);
    if (offset + limit < 7) {
      const { cursor, ...rest } = last;
      assert.deepEqual(rest, { cond: 'limited', msg: 'Result limit reached' });
      assert.match(cursor, /^[\w-]+$/);
    } else assert.deepEqual(last, { cond: 'succeeded' });
  }
});

test('PDNS-07 limit is 10000 by default, and 0 means the maximum of the key', async () => {
  const server = await sharedServer(hosts(10_005), { settings: { 'pdns.resultsMax': '10003' } });
  const sizes = [];
  for (const query of ['', '?limit=0', '?limit=10003', '?limit=99999999']) {
    const { objs, last } = await server.query(`lookup/rrset/name/*.example.com${query}`);
    sizes.push(objs.length);
    assert.equal(last['cond'], 'limited');
  }
  assert.deepEqual(sizes, [10_000, 10_003, 10_003, 10_003]);
});

test('PDNS-14 no results: status 200, begin and succeeded, no obj line', async () => {
  const server = await sharedServer([www, delegation]);
  for (const path of [
    'lookup/rrset/name/nothing.example.com',
    'lookup/rrset/name/www.example.com/AAAA',
    'lookup/rdata/ip/198.51.100.1',
    'summarize/rrset/name/nothing.example.com',
    'glob/rrnames/nothing*',
  ]) {
    const { answer } = await server.query(path);
    assert.equal(answer.text, '{"cond":"begin"}\n{"cond":"succeeded"}\n', path);
  }
});

test('PDNS-18 an RRset seen by sensors and in a zone makes two records with one pair of times each', async () => {
  const { zone_time_first: _first, zone_time_last: _last, ...inTraffic } = delegation;
  const server = await sharedServer([delegation, { ...inTraffic, time_first: 5, count: 3 }]);
  const { objs } = await server.query('lookup/rrset/name/example.com');
  assert.deepEqual(
    objs
      .map((obj) =>
        Object.keys(obj)
          .filter((member) => member.includes('time'))
          .join(' '),
      )
      .sort(),
    ['time_first time_last', 'zone_time_first zone_time_last'],
  );
  assert.deepEqual(objs.map(({ count }) => String(count)).sort(), ['12', '3']);
});

test('PDNS-19 counts and times are JSON integers', async () => {
  const server = await sharedServer([www, delegation, { rrname: 'big.example.com', count: 5_000_000_000 }]);
  const { objs } = await server.query('lookup/rrset/name/*.example.com');
  assert.equal(objs.length, 3);
  for (const obj of objs) {
    const numbers = Object.entries(obj).filter(([member]) => member === 'count' || member.includes('time'));
    assert.equal(numbers.length, 3);
    for (const [, value] of numbers) assert.ok(Number.isInteger(value));
  }
});

test('PDNS-20 a name matches case-insensitively, with or without its final dot, and is returned in lower case with it', async () => {
  const server = await sharedServer([{ ...www, rrname: 'WWW.Example.COM', rdata: '192.0.2.1' }]);
  for (const name of ['www.example.com', 'www.example.com.', 'WWW.EXAMPLE.COM', 'wWw.ExAmPlE.cOm.']) {
    assert.deepEqual(await server.found(`lookup/rrset/name/${name}`), ['www.example.com. A']);
  }
});

const manyTypes: Seen[] = [
  { rrname: 'example.com' },
  { rrname: 'example.com', rrtype: 'TXT', rdata: '"x"' },
  { rrname: 'example.com', rrtype: 'DS', rdata: `12345 8 2 ${'ab'.repeat(32)}` },
  { rrname: 'example.com', rrtype: 'TYPE65280', rdata: '\\# 2 abcd' },
];

test('PDNS-21 the type in the path selects that type; ANY is all but DNSSEC, ANY-DNSSEC only DNSSEC', async () => {
  const server = await sharedServer(manyTypes);
  const types = async (type: string) =>
    (await server.found(`lookup/rrset/name/example.com${type}`))
      .map((found) => found.split(' ')[1])
      .join(' ');
  assert.equal(await types(''), 'A TXT TYPE65280');
  assert.equal(await types('/'), 'A TXT TYPE65280');
  assert.equal(await types('/ANY'), 'A TXT TYPE65280');
  assert.equal(await types('/TYPE255'), 'A TXT TYPE65280');
  assert.equal(await types('/ANY-DNSSEC'), 'DS');
  assert.equal(await types('/ds'), 'DS');
  assert.equal(await types('/A'), 'A');
  assert.equal(await types('/TYPE16'), 'TXT');
});

test('PDNS-22 an unknown RRTYPE returns 400 and names it; TYPEnnn is accepted', async () => {
  const server = await sharedServer(manyTypes);
  const { key } = server;
  for (const type of ['FOO', 'TYPE65536', 'A,AAAA', 'DNSSEC']) {
    const answer = await server.call(`GET /pdns/v2/lookup/rrset/name/example.com/${type}`, { key });
    assertTextError(answer, 400, /rrtype/);
  }
  assert.deepEqual(await server.found('lookup/rrset/name/example.com/TYPE65280'), ['example.com. TYPE65280']);
  assert.deepEqual(await server.found('lookup/rrset/name/example.com/TYPE12345'), []);
});

test('PDNS-23 a bailiwick selects the records of exactly that zone', async () => {
  const server = await sharedServer([
    { rrname: 'example.com', rrtype: 'NS', rdata: 'ns1.example.net', bailiwick: 'com' },
    { rrname: 'example.com', rrtype: 'NS', rdata: 'ns1.example.net', bailiwick: 'example.com' },
  ]);
  const zones = async (rest: string) =>
    (await server.query(`lookup/rrset/name/example.com/${rest}`)).objs.map(({ bailiwick }) => bailiwick);
  assert.deepEqual(await zones('ANY'), ['com.', 'example.com.']);
  assert.deepEqual(await zones('ANY/com'), ['com.']);
  assert.deepEqual(await zones('NS/EXAMPLE.com.'), ['example.com.']);
  assert.deepEqual(await zones('ANY/org'), []);
});

const tree = [
  'example.com',
  'www.example.com',
  'a.b.example.com',
  'example.co.uk',
  'example.org',
  'other.com',
];

test('PDNS-24 a left wildcard finds the name and its subdomains, a right wildcard all names that start with it', async () => {
  const server = await sharedServer(tree.map((rrname) => ({ rrname })));
  const names = async (name: string) =>
    (await server.found(`lookup/rrset/name/${name}`)).map((found) => found.replace(/\. .*/, '')).sort();
  assert.deepEqual(await names('*.example.com'), ['a.b.example.com', 'example.com', 'www.example.com']);
  assert.deepEqual(await names('%2A.example.com.'), ['a.b.example.com', 'example.com', 'www.example.com']);
  assert.deepEqual(await names('example.*'), ['example.co.uk', 'example.com', 'example.org']);
  assert.deepEqual(await names('www.example.%2A'), ['www.example.com']);
  assert.deepEqual(await names('+.example.com'), ['www.example.com']);
  assert.deepEqual(await names('*'), [...tree].sort());
  assert.deepEqual(await names('*.'), [...tree].sort());
  const { key } = server;
  for (const name of ['a.*.com', '*.example.*', '*.*.com']) {
    assertTextError(await server.call(`GET /pdns/v2/lookup/rrset/name/${name}`, { key }), 400, /name/);
  }
});

test('PDNS-25 rrset/raw accepts the owner name in wire format', async () => {
  const server = await sharedServer([www, delegation]);
  const raw = '03777777076578616D706C6503636f6d00';
  assert.deepEqual(await server.found(`lookup/rrset/raw/${raw}`), ['www.example.com. A']);
  assert.deepEqual(await server.found(`lookup/rrset/raw/${raw}/AAAA`), []);
  const { key } = server;
  assertTextError(await server.call(`GET /pdns/v2/lookup/rrset/raw/${raw}/A/com`, { key }), 400);
});

const pointing: Seen[] = [
  { rrname: 'example.com', rrtype: 'MX', rdata: ['10 mail.example.net', '20 mail2.example.net'] },
  { rrname: 'example.org', rrtype: 'NS', rdata: ['mail.example.net', 'ns.example.org'] },
  { rrname: 'alias.example.com', rrtype: 'CNAME', rdata: 'mail.example.net' },
  { rrname: 'a.example', rrtype: 'TXT', rdata: '"abcdef"' },
];

test('PDNS-25 rrset/raw accepts a type, and refuses a bailiwick', async () => {
  const server = await sharedServer([
    { rrname: 'a.example' },
    { rrname: 'a.example', rrtype: 'TXT', rdata: '"x"' },
  ]);
  const path = 'lookup/rrset/raw/0161076578616D706C6500/A';
  assert.deepEqual(await server.found(path), ['a.example. A']);
  assertTextError(
    await server.call(`GET /pdns/v2/${path}/example`, { key: server.key }),
    400,
    /no more than 2/,
  );
});

test('HEAD has the status and the headers of GET, no body, and is charged', async () => {
  const server = await sharedServer([{ rrname: 'a.example' }], { pdns: daily });
  const { key } = server;
  const path = '/pdns/v2/lookup/rrset/name/a.example';
  const [head, get] = [await server.call(`HEAD ${path}`, { key }), await server.call(`GET ${path}`, { key })];
  assert.deepEqual([head.status, head.text], [200, '']);
  assert.equal(head.headers['content-length'], get.headers['content-length']);
  assert.equal(head.headers['content-type'], get.headers['content-type']);
  assert.equal(get.headers['x-ratelimit-remaining'], '998');
  for (const [wrong, status] of [
    ['/pdns/v2/lookup/rrset/name', 400],
    ['/pdns/v2/foo', 404],
    ['/lookup/rrset/name/none.example', 404],
  ] as const) {
    assert.equal((await server.call(`HEAD ${wrong}`, { key })).status, status, wrong);
  }
});

test('PDNS-26 rdata/name finds the records whose data holds the name: one RR each, an array of one, no bailiwick', async () => {
  const server = await sharedServer(pointing);
  const { objs, answer } = await server.query('lookup/rdata/name/mail.example.net');
  assert.deepEqual(objs.map(({ rrname, rdata }) => `${rrname} ${JSON.stringify(rdata)}`).sort(), [
    'alias.example.com. ["mail.example.net."]',
    'example.com. ["10 mail.example.net."]',
    'example.org. ["mail.example.net."]',
  ]);
  assert.ok(objs.every((obj) => !('bailiwick' in obj)));
  assert.match(
    answer.text,
    /\{"count":1,"time_first":1700000000,"time_last":1700000000,"rrname":"example\.com\.","rrtype":"MX","rdata":\["10 mail\.example\.net\."\]\}/,
  );
  const below = await server.query('lookup/rdata/name/*.example.net/MX');
  assert.deepEqual(below.objs.map(({ rdata }) => String(rdata[0])).sort(), [
    '10 mail.example.net.',
    '20 mail2.example.net.',
  ]);
});

test('PDNS-27 rdata/ip accepts an address, a prefix written with a comma, or a range, of either family', async () => {
  const server = await sharedServer([
    { rrname: 'a.example', rdata: '192.0.2.1' },
    { rrname: 'b.example', rdata: '192.0.2.20' },
    { rrname: 'c.example', rdata: '198.51.100.1' },
    { rrname: 'd.example', rrtype: 'AAAA', rdata: '2001:db8::1' },
    { rrname: 'e.example', rrtype: 'AAAA', rdata: '2001:db8:1::1' },
  ]);
  const names = async (address: string) =>
    (await server.found(`lookup/rdata/ip/${address}`))
      .map((found) => found.charAt(0))
      .sort()
      .join('');
  for (const [address, found] of [
    ['192.0.2.1', 'a'],
    ['192.0.2.0,24', 'ab'],
    ['192.0.2.99,24', 'ab'],
    ['192.0.2.0%2C24', 'ab'],
    ['192.0.2.2-192.0.2.20', 'b'],
    ['192.0.2.20-198.51.100.1', 'bc'],
    ['2001:db8::1', 'd'],
    ['2001%3Adb8%3A%3A,32', 'de'],
    ['2001:db8::,48', 'd'],
    ['2001:db8::-2001:db8:1::ffff', 'de'],
    ['192.0.2.1/A', 'a'],
    ['192.0.2.1/AAAA', 'a'],
    ['2001:db8::1/ANY', 'd'],
    ['203.0.113.1', ''],
  ] as const) {
    assert.equal(await names(address), found, address);
  }
});

test('PDNS-28 rdata/ip with another type returns 400', async () => {
  const server = await sharedServer();
  const { key } = server;
  for (const rest of [
    '192.0.2.1/NS',
    '2001:db8::1/ANY-DNSSEC',
    '192.0.2.1/PTR',
    'example.com',
    '192.0.2.9-192.0.2.1',
    '192.0.2.0,08',
    '192.0.2.0,+8',
  ]) {
    assertTextError(await server.call(`GET /pdns/v2/lookup/rdata/ip/${rest}`, { key }), 400);
  }
});

test('PDNS-29 rdata/raw finds records whose wire data starts with those bytes', async () => {
  const server = await sharedServer(pointing);
  assert.deepEqual(await server.found('lookup/rdata/raw/06616263'), ['a.example. TXT']);
  assert.deepEqual(await server.found('lookup/rdata/raw/06616263/TXT'), ['a.example. TXT']);
  assert.deepEqual(await server.found('lookup/rdata/raw/06616263/MX'), []);
  assert.deepEqual(await server.found('lookup/rdata/raw/044D41494C'), [], 'data is kept in lower case');
  assert.equal((await server.found('lookup/rdata/raw/046D61696c')).length, 2);
});

test('PDNS-32 the four time fences are inclusive, select whole records and clip nothing', async () => {
  const server = await sharedServer([
    { rrname: 'a.example', time_first: 100, time_last: 200, count: 10 },
    { rrname: 'b.example', time_first: 150, time_last: 300, count: 20 },
    { rrname: 'c.example', zone_time_first: 250, zone_time_last: 400, count: 30 },
  ]);
  const kept = async (query: string) =>
    (await server.found(`lookup/rrset/name/*.example?${query}`)).map((found) => found[0]).join('');
  for (const [query, names] of [
    ['time_first_before=99', ''],
    ['time_first_before=100', 'a'],
    ['time_first_before=150', 'ab'],
    ['time_first_after=150', 'bc'],
    ['time_first_after=151', 'c'],
    ['time_last_before=200', 'a'],
    ['time_last_before=199', ''],
    ['time_last_after=300', 'bc'],
    ['time_last_after=301', 'c'],
    ['time_last_after=200&time_first_before=200', 'ab'],
    ['time_first_after=150&time_last_before=300', 'b'],
  ] as const) {
    assert.equal(await kept(query), names, query);
  }
  const { objs } = await server.query(
    'lookup/rrset/name/b.example?time_last_after=250&time_first_before=260',
  );
  assert.deepEqual([objs[0]?.['time_first'], objs[0]?.['time_last'], objs[0]?.['count']], [150, 300, 20]);
});

test('PDNS-33 a negative time fence is seconds before now', async (t) => {
  const server = await pdnsServer(t);
  const now = server.clock.now() / 1000;
  await server.observe([
    { rrname: 'new.example', time_first: now - 3600 },
    { rrname: 'old.example', time_first: now - 3601 },
  ]);
  assert.deepEqual(await server.found('lookup/rrset/name/*.example?time_last_after=-3600'), [
    'new.example. A',
  ]);
  assert.deepEqual(await server.found('lookup/rrset/name/*.example?time_last_before=-3601'), [
    'old.example. A',
  ]);
  assert.equal((await server.found('lookup/rrset/name/*.example?time_last_after=-9999999999999')).length, 2);
});

test('PDNS-34 by default buckets are merged; aggr=false returns one record for each', async () => {
  const day = 86_400;
  const times = [someTime, someTime + 40 * day, someTime + 400 * day];
  const seen = times.map((time_first, index) => ({
    ...www,
    time_first,
    time_last: time_first + 10,
    count: index + 1,
  }));
  const server = await sharedServer(seen);
  const [merged] = (await server.query('lookup/rrset/name/www.example.com')).objs;
  assert.deepEqual(
    [merged?.['time_first'], merged?.['time_last'], merged?.['count']],
    [times[0], (times[2] as number) + 10, 6],
  );
  for (const value of ['f', 'false', 'False', '0']) {
    const { objs } = await server.query(`lookup/rrset/name/www.example.com?aggr=${value}`);
    assert.ok(objs.length >= 2, 'more than a year apart');
    assert.equal(
      objs.reduce((sum, { count }) => sum + count, 0),
      6,
    );
    assert.ok(objs.every(({ rdata }) => rdata.length === 2));
  }
});

test('PDNS-35 PDNS-36 humantime writes times as RFC 3339; by default they are integers', async () => {
  const server = await sharedServer([www, delegation]);
  for (const value of ['t', 'true', 'True', '1']) {
    const { objs } = await server.query(`lookup/rrset/name/*.example.com?humantime=${value}`);
    assert.deepEqual(
      objs.map((obj) => obj['time_first'] ?? obj['zone_time_first']),
      ['2023-07-22T04:26:40Z', '2023-11-14T22:13:20Z'],
    );
  }
  for (const value of ['f', 'false', 'False', '0']) {
    const { objs } = await server.query(`lookup/rrset/name/www.example.com?humantime=${value}`);
    assert.equal(objs[0]?.['time_first'], 1_700_000_000);
  }
  const answer = await server.call('GET /pdns/v2/lookup/rrset/name/a?humantime=maybe', { key: server.key });
  assertTextError(answer, 400, /humantime/);
});

test('PDNS-37 unknown parameters are ignored; those that name the client are accepted', async () => {
  const server = await sharedServer([www, delegation]);
  const query = 'swclient=dnsdbq&version=2.6.4&id=abc:def&foo=bar&foo=baz&&=&x[]=1';
  const { answer } = await server.query(`lookup/rrset/name/www.example.com?${query}`);
  assert.equal(answer.text, (await server.query('lookup/rrset/name/www.example.com')).answer.text);
});

test('PDNS-38 the path is split before it is decoded, and decoded once', async () => {
  const server = await sharedServer([
    { rrname: '212.0/24.150.in-addr.arpa', rrtype: 'PTR', rdata: 'a.example' },
    { rrname: '212.0%2f24.150.in-addr.arpa', rrtype: 'PTR', rdata: 'b.example' },
    { rrname: 'a\\.b.example.com' },
    { rrname: 'a\\032b.example.com' },
  ]);
  const data = async (name: string) =>
    (await server.query(`lookup/rrset/name/${name}`)).objs.map(({ rdata }) => rdata[0]);
  assert.deepEqual(await data('212.0%2F24.150.in-addr.arpa'), ['a.example.']);
  assert.deepEqual(await data('212.0%252F24.150.in-addr.arpa'), ['b.example.']);
  assert.deepEqual(await server.found('lookup/rrset/name/a%5C.b.example.com'), ['a\\.b.example.com. A']);
  assert.deepEqual(await server.found('lookup/rrset/name/a%5C032b.example.com'), ['a\\032b.example.com. A']);
  assert.deepEqual(await server.found('lookup/rrset/name/a%20b.example.com'), ['a\\032b.example.com. A']);
});

test('PDNS-38 double slashes and a trailing slash are accepted', async (t) => {
  const server = await pdnsServer(t, [www]);
  for (const path of [
    '/pdns/v2/lookup/rrset/name/www.example.com/',
    '/pdns/v2/lookup/rrset/name/www.example.com/A/',
    '//pdns/v2//lookup/rrset//name/www.example.com',
    '/pdns/v2/lookup/rrset/name/www.example.com///?limit=1',
  ]) {
    const { text } = await callOverSocket(server, path, { 'X-API-Key': server.key });
    assert.equal(text, `{"cond":"begin"}\n${wwwLine}\n{"cond":"succeeded"}\n`, path);
  }
});

test('PDNS-20 the root is a dot in the path, plain or encoded', async (t) => {
  const server = await pdnsServer(t, [{ rrname: '.', rrtype: 'NS', rdata: 'a.root-servers.example' }]);
  for (const path of ['.', './NS', '%2E', '%2e/NS', './NS/.']) {
    const { text } = await callOverSocket(server, `/pdns/v2/lookup/rrset/name/${path}`, {
      'X-API-Key': server.key,
    });
    assert.equal(linesOf(text)[1]?.['obj']?.rrname, '.', path);
  }
});

test('PDNS-39 TXT is quoted, unknown types are generic, and no string of data is empty', async () => {
  const server = await sharedServer([
    { rrname: 'a.example', rrtype: 'TXT', rdata: '""' },
    { rrname: 'b.example', rrtype: 'TXT', rdata: '"one" "two \\" quoted"' },
    { rrname: 'c.example', rrtype: 'TYPE65280', rdata: '\\# 3 abcdef' },
    { rrname: 'd.example', rrtype: 'TYPE65280', rdata: '\\# 0' },
    { rrname: 'e.example', rrtype: 'TXT', rdata: '"\\000\\255"' },
  ]);
  const { objs } = await server.query('lookup/rrset/name/*.example');
  assert.deepEqual(
    objs.map(({ rdata }) => rdata[0].toLowerCase()),
    ['""', '"one" "two \\" quoted"', '\\# 3 abcdef', '\\# 0', '"\\000\\255"'],
  );
});

test('PDNS-40 paging by offset and by cursor returns every record once, in the order of one complete response', async () => {
  const server = await sharedServer(hosts(53));
  const name = 'lookup/rrset/name/*.example.com';
  const whole = await server.found(name);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (limit) => {
      const byOffset: string[] = [];
      for (let offset = 0; offset < 53; offset += limit) {
        byOffset.push(...(await server.found(`${name}?limit=${limit}&offset=${offset}`)));
      }
      assert.deepEqual(byOffset, whole);
      const byCursor: string[] = [];
      let cursor = '';
      do {
        const { objs, last } = await server.query(`${name}?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        byCursor.push(...objs.map(({ rrname, rrtype }) => `${rrname} ${rrtype}`));
        cursor = last['cursor'] ?? '';
      } while (cursor);
      assert.deepEqual(byCursor, whole);
    }),
    { numRuns: 8 },
  );
});

test('a cursor is stable while data is added: no duplicates, and no earlier record is left out', async (t) => {
  const server = await pdnsServer(t, hosts(9));
  const name = 'lookup/rrset/name/*.example.com?limit=2';
  const before = new Set(await server.found('lookup/rrset/name/*.example.com'));
  const paged: string[] = [];
  let cursor = '';
  do {
    const { objs, last } = await server.query(`${name}${cursor && `&cursor=${cursor}`}`);
    paged.push(...objs.map(({ rrname, rrtype }) => `${rrname} ${rrtype}`));
    cursor = last['cursor'] ?? '';
    await server.observe([
      { rrname: `host${paged.length}a.example.com` },
      { rrname: 'host0.example.com', count: 5 },
    ]);
  } while (cursor);
  assert.equal(new Set(paged).size, paged.length);
  assert.ok([...before].every((found) => paged.includes(found)));
});

const times = [50, 10, 50, 30, 70, 10, 50];
const aged = times.map(
  (time, index): Seen => ({ rrname: `n${index}.example`, time_first: 1, time_last: time }),
);

test('sort=time_last returns the newest first, ties in store order, also in pages', async () => {
  const server = await sharedServer(aged);
  const path = 'lookup/rrset/name/*.example?sort=time_last';
  const whole = await server.found(path);
  assert.deepEqual(
    whole.map((found) => Number(found[1])),
    [4, 0, 2, 6, 3, 1, 5],
  );
  for (const limit of [1, 2, 3, 4, 6, 7]) {
    const byCursor: string[] = [];
    let cursor = '';
    do {
      const { objs, last } = await server.query(`${path}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
      byCursor.push(...objs.map(({ rrname, rrtype }) => `${rrname} ${rrtype}`));
      cursor = last['cursor'] ?? '';
    } while (cursor);
    assert.deepEqual(byCursor, whole);
    assert.deepEqual(await server.found(`${path}&limit=${limit}&offset=2`), whole.slice(2, 2 + limit));
  }
});

test('sort=time_last over 10000 rows and any other sort are refused, and the parameter is named', async () => {
  const server = await sharedServer(aged);
  const { key } = server;
  for (const [query, name] of [
    ['sort=time_last&limit=10001', /limit/],
    ['sort=time_last&limit=1&offset=10000', /offset/],
    ['sort=count', /sort/],
    ['cursor=abc', /cursor/],
  ] as const) {
    assertTextError(
      await server.call(`GET /pdns/v2/lookup/rrset/name/*.example?${query}`, { key }),
      400,
      name,
    );
  }
});

test('a cursor of one query is refused by another', async () => {
  const server = await sharedServer(aged);
  const { last } = await server.query('lookup/rrset/name/*.example?limit=1');
  for (const rest of ['+.example?', '*.example/A?', '*.example?aggr=f&', '*.example?sort=time_last&']) {
    const route = `GET /pdns/v2/lookup/rrset/name/${rest}cursor=${last['cursor']}`;
    assertTextError(await server.call(route, { key: server.key }), 400, /cursor/);
  }
});

test('min_count and max_count filter the records of a lookup by count, inclusively', async () => {
  const server = await sharedServer([1, 2, 3, 4].map((count) => ({ rrname: `n${count}.example`, count })));
  const counts = async (query: string) =>
    (await server.query(`lookup/rrset/name/*.example?${query}`)).objs.map(({ count }) => count);
  assert.deepEqual(await counts('min_count=3'), [3, 4]);
  assert.deepEqual(await counts('max_count=2'), [1, 2]);
  assert.deepEqual(await counts('min_count=2&max_count=3'), [2, 3]);
});

for (const encoding of ['gzip', 'identity'] as const) {
  test(`a lookup with Accept-Encoding ${encoding} returns the same lines`, async () => {
    const server = await sharedServer(hosts(53));
    const plain = await server.query('lookup/rrset/name/*.example.com');
    const headers = { 'accept-encoding': encoding };
    const answer = await server.call('GET /pdns/v2/lookup/rrset/name/*.example.com', {
      key: server.key,
      headers,
    });
    assert.equal(answer.headers['content-encoding'], encoding === 'gzip' ? 'gzip' : undefined);
    const text = encoding === 'gzip' ? gunzipSync(answer.bytes).toString() : answer.text;
    assert.equal(text, plain.answer.text);
  });
}

async function assertHarmless(t: TestContext, seen: Seen[]) {
  const server = await pdnsServer(t, seen);
  for (const path of ['lookup/rrset/name/*', 'glob/rrnames/*', 'glob/rdata/*']) {
    framed(await server.call(`GET /pdns/v2/${path}`, { key: server.key }));
  }
}

test('every line is JSON, whatever bytes names and data contain', async (t) => {
  const byte = fc.integer({ min: 0, max: 255 }).map((code) => `\\${String(code).padStart(3, '0')}`);
  const label = fc.array(byte, { minLength: 1, maxLength: 15 }).map((bytes) => bytes.join(''));
  const seen = fc.record({
    rrname: fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.')),
    rrtype: fc.constant('TXT'),
    rdata: fc.array(byte, { maxLength: 50 }).map((bytes) => `"${bytes.join('')}"`),
  });
  await assertHarmless(t, fc.sample(seen, 300));
});
