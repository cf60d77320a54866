import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  type Fields,
  type InvestigateFixture,
  investigateFixture,
  sharedInvestigateFixtures,
} from './investigate-fixture.ts';

const sharedFixture = sharedInvestigateFixtures();

const named = (index: number) => `d${String(index).padStart(5, '0')}.example`;

function many(count: number, fields: (index: number) => Fields = () => ({})): Record<string, Fields> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      named(index),
      { ...fields(index), parsed_whois: { registrar: 'Many', ...fields(index).parsed_whois } },
    ]),
  );
}

/** All pages of a search, following `position` to the end. */
async function pagesOf(world: InvestigateFixture, query: string): Promise<string[][]> {
  const pages: string[][] = [];
  let position: string | undefined;
  do {
    const response = await world.response(`${query}${position === undefined ? '' : `&position=${position}`}`);
    assert.equal(response.results_count, response.results.length);
    assert.equal(response.has_more_results, 'position' in response);
    pages.push(response.results.map(({ domain }: { domain: string }) => domain));
    position = response.position;
  } while (position !== undefined);
  return pages;
}

test('INV-22 INV-23 INV-24 INV-S09 500 matches are one page, 501 are two', async (t) => {
  const world = await investigateFixture(t);
  await world.store(many(500));
  const full = await world.response('registrar=many');
  assert.deepEqual([full.results_count, full.total_count, full.has_more_results], [500, 500, false]);
  assert.ok(!('position' in full) && !full.limit_exceeded);

  await world.store({ 'last.example': { parsed_whois: { registrar: 'Many' } } });
  const first = await world.response('registrar=many');
  assert.deepEqual([first.results_count, first.total_count, first.has_more_results], [500, 501, true]);
  assert.equal(first.message, 'There is more data for you to enjoy.');
  assert.match(first.position, /^[0-9a-f]{32}$/);
  const second = await world.response(`registrar=many&position=${first.position}`);
  assert.deepEqual([second.results_count, second.total_count, second.has_more_results], [1, 501, false]);
  assert.ok(!('position' in second));

  const wider = await world.response('registrar=many&page_size=1000');
  assert.deepEqual([wider.results_count, wider.has_more_results], [500, true]);
});

test('INV-18 INV-19 INV-20 INV-21 as many matches as the limit are paged, one more is reported as too many', async (t) => {
  const world = await investigateFixture(t, { 'limits.investigate.matchesMax': '12' });
  await world.store(many(12));
  assert.deepEqual(
    (await pagesOf(world, 'registrar=many&page_size=5')).map((page) => page.length),
    [5, 5, 2],
  );
  await world.store({ 'more.example': { parsed_whois: { registrar: 'Many' } } });
  const { status, json } = await world.search('registrar=many');
  assert.equal(status, 200);
  const advice = 'you may need to refine your query.';
  assert.deepEqual(json, {
    response: {
      error: { code: 413, message: `More than 12 matched - ${advice}` },
      limit_exceeded: true,
      has_more_results: true,
      message: `Maximum 12 returned - ${advice}`,
      missing_domains: [],
    },
  });
  assert.deepEqual(Object.keys(json.response), [
    'error',
    'limit_exceeded',
    'has_more_results',
    'message',
    'missing_domains',
  ]);
});

test('INV-18 INV-19 INV-20 too many matches return 200 and the same envelope in every format', async () => {
  const world = await sharedFixture({ 'limits.investigate.matchesMax': '12' });
  await world.store(many(13));
  const { text } = await world.search('registrar=many');
  const csv = await world.search('registrar=many&format=csv');
  assert.deepEqual(
    [csv.status, csv.headers['content-type'], csv.text],
    [200, 'application/json;charset=utf-8', text],
  );
  const ndjson = await world.search('registrar=many&format=ndjson');
  assert.deepEqual(
    [ndjson.status, ndjson.headers['content-type'], ndjson.text],
    [200, 'application/x-ndjson', `${text}\n`],
  );
  const xml = await world.search('registrar=many&format=xml');
  assert.deepEqual([xml.status, /<error><code>413<\/code>/.test(xml.text)], [200, true]);
});

test('INV-14 count_only returns the number of all matches, however many they are, in every format', async () => {
  const world = await sharedFixture({ 'limits.investigate.matchesMax': '12' });
  await world.store(many(13));
  const { text, json } = await world.search('registrar=many&count_only=true');
  const { limit_exceeded, has_more_results, total_count, results_count, results } = json.response;
  assert.deepEqual(
    [limit_exceeded, has_more_results, total_count, results_count, results],
    [false, false, 13, 0, []],
  );
  assert.equal((await world.search('registrar=many&count_only=true&format=csv')).text, text);
  assert.equal((await world.search('registrar=many&count_only=true&format=ndjson')).text, `${text}\n`);
});

test('INV-14 INV-15 INV-24 INV-S01 INV-S02 INV-S10 pages of any size return every match once', async (t) => {
  const world = await investigateFixture(t);
  await world.store(many(23, (index) => ({ domain_risk: { risk_score: index % 3, components: [] } })));
  const all = await world.names('registrar=many&sort_by=risk_score');
  assert.equal(new Set(all).size, 23);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 25 }), async (size) => {
      const pages = await pagesOf(world, `registrar=many&sort_by=risk_score&page_size=${size}`);
      assert.deepEqual(pages.flat(), all);
      assert.equal(pages.length, Math.ceil(23 / size));
      assert.ok(pages.slice(0, -1).every((page) => page.length === size));
    }),
    { numRuns: 12 },
  );
});

test('INV-S02 paging is consistent while records are added and changed', async (t) => {
  const world = await investigateFixture(t);
  await world.store(many(6, (index) => ({ first_seen: `2026-03-0${index + 1}T00:00:00.000Z` })));
  const before = await world.names('registrar=many');
  const first = await world.response('registrar=many&page_size=2');
  await world.store({
    'new.example': { first_seen: '2026-03-09T00:00:00.000Z', parsed_whois: { registrar: 'Many' } },
    [named(2)]: { parsed_whois: { registrar: 'Changed' } },
  });
  const second = await world.response(`registrar=many&page_size=2&position=${first.position}`);
  const third = await world.response(`registrar=many&page_size=2&position=${second.position}`);
  const paged = [first, second, third].flatMap(({ results }) =>
    results.map((one: { domain: string }) => one.domain),
  );
  assert.deepEqual(paged, before);
  assert.equal(third.has_more_results, false);
});

async function firstPage() {
  const world = await sharedFixture();
  await world.store(many(4));
  await world.store({ 'b1.example': { server_type: 'x' }, 'b2.example': { server_type: 'x' } });
  const { position } = await world.response('registrar=many&page_size=2');
  return { world, position };
}

test('INV-S03 INV-S04 a position that this server did not issue for this search returns 400', async () => {
  const { world, position } = await firstPage();
  for (const other of [
    '',
    '0',
    'f'.repeat(32),
    position.slice(1),
    `${position}0`,
    position.replace(/.$/, 'g'),
    '%00',
  ])
    assert.match(await world.errorMessage({ registrar: 'many', position: other }), /position: /, other);
  const flipped = `${position[0] === '0' ? '1' : '0'}${position.slice(1)}`;
  await world.errorMessage({ registrar: 'many', position: flipped });
});

test('INV-S04 a position of another search, order or account is refused', async () => {
  const { world, position } = await firstPage();
  await world.errorMessage({ server_type: 'x', position });
  await world.errorMessage({ registrar: 'many', sort_by: 'domain', position });
  await world.errorMessage({ registrar: 'many', rank: '5', position });
  const otherUser = await world.server.user();
  assert.equal((await world.search({ registrar: 'many', position }, otherUser)).status, 400);
});

test('another user of the account may continue, and the page size may change', async () => {
  const { world, position } = await firstPage();
  const colleague = await world.server.user({ account: world.user.caller.account.name });
  assert.equal((await world.names({ registrar: 'many', position, page_size: '1' }, colleague)).length, 1);
});

test('INV-S04 a position expires after a day', async () => {
  const { world, position } = await firstPage();
  world.server.clock.advanceSeconds(86_399);
  assert.equal((await world.names({ registrar: 'many', position })).length, 2);
  world.server.clock.advanceSeconds(2);
  assert.match(await world.errorMessage({ registrar: 'many', position }), /position: has expired/);
});

test('INV-S04 a first page that is sent again begins another day for its position', async () => {
  const { world, position } = await firstPage();
  world.server.clock.advanceSeconds(80_000);
  const again = (await world.search({ registrar: 'many', page_size: '2' })).json.response;
  assert.equal(again.position, position);
  world.server.clock.advanceSeconds(86_399);
  assert.equal((await world.names({ registrar: 'many', position })).length, 2);
});

async function nextLinks() {
  const world = await sharedFixture({
    'http.publicUrl': 'https://names.test',
    'http.mountPrefix': '/dt',
  });
  const { server, user } = world;
  await world.store(many(5, (index) => ({ website_title: `a+b & ${index % 2}` })));
  const follow = async (url: string) => {
    assert.ok(url.startsWith('https://names.test/dt/v1/'), url);
    return (await server.call(`GET ${url.slice('https://names.test'.length)}`, { key: user.key })).json
      .response;
  };
  return { world, server, user, follow };
}

test('INV-S05 INV-S06 next links through all pages and is absent on the last', async () => {
  const { world, follow } = await nextLinks();
  const paged: string[] = [];
  let response = await world.response('registrar=many&page_size=2&next=true&sort_by=domain&parsed_whois=1');
  for (let page = 0; page < 3; page += 1) {
    paged.push(...response.results.map(({ domain }: { domain: string }) => domain));
    assert.ok(response.results.every((one: object) => 'parsed_whois' in one));
    assert.equal('next' in response, page < 2);
    if (page < 2) response = await follow(response.next);
  }
  assert.deepEqual(
    paged,
    Array.from({ length: 5 }, (_, index) => named(index)),
  );
});

test('INV-S07 next is absent unless requested', async () => {
  const { world } = await nextLinks();
  assert.ok(!('next' in (await world.response('registrar=many&page_size=2'))));
  assert.ok(!('next' in (await world.response('registrar=many&page_size=2&next=false'))));
});

test('INV-S08 next contains no credentials, however they were sent', async () => {
  const { server, user, follow } = await nextLinks();
  const body = new URLSearchParams({
    api_username: user.username,
    api_key: user.key,
    website_title: 'a+b & 0',
    page_size: '1',
    next: 'true',
  });
  const { json } = await server.call('POST /v1/intel-investigate/', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: body.toString(),
  });
  const { next, results } = json.response;
  assert.doesNotMatch(next, /api_key|api_username|signature|timestamp/);
  assert.ok(!next.includes(user.key));
  const second = await follow(next);
  assert.equal(second.results_count, 1);
  assert.notEqual(second.results[0].domain, results[0].domain);
});

test('next of a query, and of a long search, uses a search hash', async () => {
  const { server, user, follow } = await nextLinks();
  const query = '# NameglassQL-1.0\nregistrar = many OR registrar = none';
  const route = 'POST /v1/intel-investigate/?page_size=3&next=true&sort_by=domain';
  const { json } = await server.call(route, { key: user.key, body: query });
  assert.match(json.response.next, /[?]search_hash=/);
  assert.equal((await follow(json.response.next)).results_count, 2);
  const domain = [
    ...Array.from({ length: 95 }, (_, n) => `${'x'.repeat(60)}${n}.example`),
    ...Object.keys(many(5)),
  ];
  const body = { domain: domain.join(','), page_size: 2, next: true };
  const long = await server.call('POST /v1/intel-investigate/', { key: user.key, body });
  assert.ok(long.json.response.next.length < 4200);
  assert.equal((await follow(long.json.response.next)).results_count, 2);
});

test('INV-S11 INV-S12 page_size can only lower the default, and is a positive integer', async (t) => {
  const world = await investigateFixture(t, { 'limits.investigate.pageSizeMax': '3' });
  await world.store(many(5));
  assert.equal((await world.names('registrar=many')).length, 3);
  assert.equal((await world.names('registrar=many&page_size=4')).length, 3);
  assert.equal((await world.names('registrar=many&page_size=999999999')).length, 3);
  assert.equal((await world.names('registrar=many&page_size=2')).length, 2);
  for (const size of ['0', '-1', '1.5', 'all', '', '1e2'])
    assert.match(await world.errorMessage({ registrar: 'many', page_size: size }), /page_size: /);
});
