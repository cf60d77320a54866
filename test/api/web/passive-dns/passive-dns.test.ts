import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testServer } from '../../../harness/server/test-server.ts';
import { type WebSession, webSession } from '../../../harness/server/web-session.ts';

const server = await testServer({ after }, { settings: { 'compat.profile': 'vendor' } });
const daySeconds = 86_400;
const today = Math.floor(server.clock.now() / 1000 / daySeconds) * daySeconds;
const noon = (daysAgo: number) => today - daysAgo * daySeconds + daySeconds / 2;

await server.observe([
  {
    rrname: 'www.seen.example',
    rdata: '192.0.2.1',
    bailiwick: 'seen.example',
    time_first: noon(40),
    time_last: noon(40),
    count: 5,
  },
  {
    rrname: 'www.seen.example',
    rdata: '192.0.2.1',
    bailiwick: 'seen.example',
    time_first: noon(3),
    time_last: noon(3),
    count: 2,
  },
  {
    rrname: 'www.seen.example',
    rdata: '192.0.2.9',
    bailiwick: 'seen.example',
    time_first: noon(3),
    time_last: noon(1),
    count: 7,
  },
  {
    rrname: 'seen.example',
    rrtype: 'NS',
    rdata: ['ns1.seen.example.', 'ns2.seen.example.'],
    bailiwick: 'example',
    zone_time_first: noon(30),
    zone_time_last: noon(2),
    count: 4,
  },
  {
    rrname: 'other.example',
    rrtype: 'CNAME',
    rdata: 'www.seen.example.',
    time_first: noon(9),
    time_last: noon(9),
  },
  {
    rrname: 'txt.seen.example',
    rrtype: 'TXT',
    rdata: '"v=spf1 <img src=x onerror=alert(1)>"',
    time_first: noon(5),
    time_last: noon(5),
  },
]);
const me = await webSession(server);

const ask = async (route: string, by: WebSession = me) => {
  const { status, json } = await by.call(`GET /pdns/${route}`);
  assert.equal(status, 200, JSON.stringify(json));
  return json;
};
// biome-ignore lint/suspicious/noExplicitAny: rows of any answer
const namesIn = ({ records }: any) =>
  records.map((row: any) => `${row.rrname} ${row.rrtype} ${row.rdata.join(' ')}`);

test('records of a name come newest first, with times, counts and origin', async () => {
  const found = await ask('records?q=www.seen.example');
  assert.deepEqual(found.records, [
    {
      rrname: 'www.seen.example.',
      rrtype: 'A',
      bailiwick: 'seen.example.',
      rdata: ['192.0.2.9'],
      more_rdata: 0,
      count: 7,
      first: new Date(noon(3) * 1000).toISOString().replace('.000', ''),
      last: new Date(noon(1) * 1000).toISOString().replace('.000', ''),
      origin: 'sensor',
    },
    {
      ...found.records[1],
      rdata: ['192.0.2.1'],
      count: 7,
    },
  ]);
  assert.deepEqual([found.sort, found.more, found.cursor, found.quota], ['newest', false, null, null]);
  assert.deepEqual(found.question, {
    form: 'name',
    side: 'names',
    value: 'www.seen.example',
    address: '/pdns/v2/lookup/rrset/name/www.seen.example?limit=100&sort=time_last',
    dnsdbq: 'dnsdbq -r www.seen.example -l 100',
  });
});

test('both wildcards, addresses, prefixes, data, globs and regular expressions find what they say', async () => {
  const found = async (query: string) => namesIn(await ask(`records?${query}`));
  assert.equal((await found('q=*.seen.example')).length, 4);
  assert.deepEqual(await found('q=other.*'), ['other.example. CNAME www.seen.example.']);
  assert.deepEqual(await found('q=192.0.2.9'), ['www.seen.example. A 192.0.2.9']);
  assert.equal((await found('q=192.0.2.0/24')).length, 2);
  assert.equal((await found('q=192.0.2.2-192.0.2.20')).length, 1);
  assert.deepEqual(await found('q=www.seen.example&side=data'), ['other.example. CNAME www.seen.example.']);
  assert.deepEqual(await found('q=oth*'), ['other.example. CNAME ']);
  assert.deepEqual(await found('q=/^other/'), ['other.example. CNAME ']);
  assert.equal((await found('q=/spf1/&side=data')).length, 1);
  assert.deepEqual(await found('q=*.seen.example&type=NS'), [
    'seen.example. NS ns1.seen.example. ns2.seen.example.',
  ]);
});

test('the address that an answer gives asks the passive DNS API the same', async () => {
  const { key } = await server.user({ account: me.account });
  for (const query of ['q=*.seen.example&type=A', 'q=/^other/', 'q=192.0.2.0/24&raw=true']) {
    const found = await ask(`records?${query}`);
    const answer = await server.call(`GET ${found.question.address}`, { key });
    const objects = answer.text.split('\n').filter((line) => line.includes('"obj"'));
    assert.equal(objects.length, found.records.length, query);
  }
});

test('records are paged by cursor without a gap or a repeat', async () => {
  const pages: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await ask(`records?q=*.seen.example&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
    assert.equal(page.more, page.cursor !== null);
    pages.push(...namesIn(page));
    cursor = page.cursor;
  }
  assert.deepEqual(pages, namesIn(await ask('records?q=*.seen.example')));
});

test('a time window keeps records that were seen within it', async () => {
  const day = (daysAgo: number) => new Date(noon(daysAgo) * 1000).toISOString().slice(0, 10);
  const found = async (window: string) =>
    namesIn(await ask(`records?q=*.seen.example&type=A&${window}`)).length;
  assert.equal(await found(`from=${day(2)}`), 1);
  assert.equal(await found(`from=${day(60)}&to=${day(20)}`), 1);
  assert.equal(await found(`to=${day(50)}`), 0);
});

test('raw rows are the periods that are stored', async () => {
  assert.deepEqual(
    // biome-ignore lint/suspicious/noExplicitAny: rows of any answer
    (await ask('records?q=www.seen.example&raw=true&sort=name')).records.map((row: any) => row.count),
    [5, 2, 7],
  );
});

test('a summary has records, observations, and when sensors and zone files had them', async () => {
  const time = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000', '');
  const { question: _question, ...summary } = await ask('summary?q=*.seen.example');
  assert.deepEqual(summary, {
    records: 4,
    count: 19,
    complete: true,
    sensor: { first: time(noon(40)), last: time(noon(1)) },
    zone: { first: time(noon(30)), last: time(noon(2)) },
    quota: null,
  });
  assert.deepEqual((await ask('summary?q=nothing.example')).records, 0);
});

test('the calendar has the days on which records were seen', async () => {
  const calendar = await ask('calendar?q=www.seen.example');
  const day = (daysAgo: number) => new Date(noon(daysAgo) * 1000).toISOString().slice(0, 10);
  assert.deepEqual(calendar.days, [
    { day: day(40), seen: 1, count: 5, possible: 0, first: 1 },
    { day: day(3), seen: 2, count: 2, possible: 0, first: 1 },
    { day: day(2), seen: 0, count: 0, possible: 1, first: 0 },
    { day: day(1), seen: 1, count: 0, possible: 0, first: 0 },
  ]);
  assert.deepEqual([calendar.from, calendar.to, calendar.complete], [day(364), day(0), true]);
  const window = await ask(`calendar?q=www.seen.example&from=${day(3)}&to=${day(2)}`);
  // biome-ignore lint/suspicious/noExplicitAny: days of any answer
  assert.deepEqual(
    window.days.map((one: any) => [one.day, one.first]),
    [
      [day(3), 1],
      [day(2), 0],
    ],
  );
});

test('questions that cannot be asked are refused with 422, name the field, and are not charged', async () => {
  const limited = {
    quota: { type: 'time', limit: 5, period: 86_400 },
    allowedAddresses: [],
    apiVersions: [2],
  } as const;
  const owner = await server.user({ account: 'few', username: 'few-owner', pdns: limited });
  const person = await webSession(server, { account: 'few' });
  for (const [field, route] of [
    ['q', 'records?q=a%20b'],
    ['q', 'records'],
    ['rrtype', 'records?q=a.example&type=NONSENSE'],
    ['from', 'records?q=a.example&from=yesterday'],
    ['to', 'records?q=a.example&from=2026-02-02&to=2026-01-01'],
    ['cursor', 'records?q=a.example&cursor=xyz'],
    ['pattern', 'records?q=/(/'],
    ['q', 'calendar?q=/x/'],
    ['q', 'summary?q=*x*'],
  ] as const) {
    const { status, json } = await person.call(`GET /pdns/${route}`);
    assert.equal(status, 422, `${route} ${JSON.stringify(json)}`);
    assert.ok(json.error.fields[field], JSON.stringify(json));
  }
  const rate = await server.call('GET /pdns/v2/rate_limit', { key: owner.key });
  assert.equal(rate.json.rate.remaining, 5);
});

test('each answer is one lookup of the quota of the account, as over the API', async () => {
  const limited = {
    quota: { type: 'time', limit: 4, period: 86_400 },
    allowedAddresses: [],
    apiVersions: [2],
  } as const;
  const owner = await server.user({ account: 'four', username: 'four-owner', pdns: limited });
  const person = await webSession(server, { account: 'four' });
  const { quota } = await ask('records?q=a.example', person);
  assert.deepEqual([quota.remaining, quota.limit, quota.user], [3, 4, 'four-owner']);
  await ask('summary?q=a.example', person);
  await ask('calendar?q=a.example', person);
  assert.equal(
    (await server.call('GET /pdns/v2/lookup/rrset/name/a.example', { key: owner.key })).status,
    200,
  );
  const { status, json } = await person.call('GET /pdns/records?q=a.example');
  assert.deepEqual([status, json.error.code], [429, 'limit-exceeded']);
});

test('a person who is an API user has that user’s quota, and an account without a key has none', async () => {
  const limited = {
    quota: { type: 'time', limit: 9, period: 86_400 },
    allowedAddresses: [],
    apiVersions: [2],
  } as const;
  await server.user({ account: 'two', username: 'two-owner', pdns: limited });
  await server.user({ account: 'two', username: 'two-ada', pdns: limited });
  const ada = await webSession(server, { account: 'two', name: 'two-ada' });
  assert.equal((await ask('records?q=a.example', ada)).quota.user, 'two-ada');
  const without = await server.user({ pdns: null });
  const other = await webSession(server, { account: without.caller.account.name });
  const refused = await other.call('GET /pdns/records?q=a.example');
  assert.deepEqual([refused.status, refused.json.error.code], [403, 'not-provisioned']);
});
