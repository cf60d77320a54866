import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type Fields, type Investigated, investigated } from './investigated.ts';

const named = (index: number) => `d${String(index).padStart(5, '0')}.example`;

function many(count: number, fields: (index: number) => Fields = () => ({})): Record<string, Fields> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      named(index),
      { ...fields(index), parsed_whois: { registrar: 'Many', ...fields(index).parsed_whois } },
    ]),
  );
}

/** Every page of a search, following `position` to the end. */
async function pagesOf(world: Investigated, query: string): Promise<string[][]> {
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

test('INV-22 INV-23 INV-24 INV-S09 exactly 500 are one page, 501 are two', async (t) => {
  const world = await investigated(t);
  await world.know(many(500));
  const full = await world.response('registrar=many');
  assert.deepEqual([full.results_count, full.total_count, full.has_more_results], [500, 500, false]);
  assert.ok(!('position' in full) && !full.limit_exceeded);

  await world.know({ 'last.example': { parsed_whois: { registrar: 'Many' } } });
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

test('INV-18 INV-19 INV-20 INV-21 as many as the limit are pages, one more is told to be too many', async (t) => {
  const world = await investigated(t, { 'limits.investigate.matchesMax': '12' });
  await world.know(many(12));
  assert.deepEqual(
    (await pagesOf(world, 'registrar=many&page_size=5')).map((page) => page.length),
    [5, 5, 2],
  );
  await world.know({ 'more.example': { parsed_whois: { registrar: 'Many' } } });
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
  for (const format of ['csv', 'ndjson'])
    assert.equal((await world.search(`registrar=many&format=${format}`)).status, 400);
  assert.equal((await world.search('registrar=many&count_only=true')).json.response.error.code, 413);
});

test('INV-14 INV-15 INV-24 INV-S01 INV-S02 INV-S10 pages of any size give every match once', async (t) => {
  const world = await investigated(t);
  await world.know(many(23, (index) => ({ domain_risk: { risk_score: index % 3, components: [] } })));
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

test('INV-S02 pages hold together while records come and change', async (t) => {
  const world = await investigated(t);
  await world.know(many(6, (index) => ({ first_seen: `2026-03-0${index + 1}T00:00:00.000Z` })));
  const before = await world.names('registrar=many');
  const first = await world.response('registrar=many&page_size=2');
  await world.know({
    'new.example': { first_seen: '2026-03-09T00:00:00.000Z', parsed_whois: { registrar: 'Many' } },
    [named(2)]: { parsed_whois: { registrar: 'Changed' } },
  });
  const second = await world.response(`registrar=many&page_size=2&position=${first.position}`);
  const third = await world.response(`registrar=many&page_size=2&position=${second.position}`);
  const walked = [first, second, third].flatMap(({ results }) =>
    results.map((one: { domain: string }) => one.domain),
  );
  assert.deepEqual(walked, before);
  assert.equal(third.has_more_results, false);
});

test('positions', async (t) => {
  const world = await investigated(t);
  await world.know(many(4));
  await world.know({ 'b1.example': { server_type: 'x' }, 'b2.example': { server_type: 'x' } });
  const { position } = await world.response('registrar=many&page_size=2');

  await t.test('INV-S03 INV-S04 what this server did not give for this search answers 400', async () => {
    for (const other of [
      '',
      '0',
      'f'.repeat(32),
      position.slice(1),
      `${position}0`,
      position.replace(/.$/, 'g'),
      '%00',
    ])
      assert.match(await world.refusal({ registrar: 'many', position: other }), /position: /, other);
    const flipped = `${position[0] === '0' ? '1' : '0'}${position.slice(1)}`;
    await world.refusal({ registrar: 'many', position: flipped });
  });

  await t.test('INV-S04 of another search, order or account it is refused', async () => {
    await world.refusal({ server_type: 'x', position });
    await world.refusal({ registrar: 'many', sort_by: 'domain', position });
    await world.refusal({ registrar: 'many', rank: '5', position });
    const stranger = await world.server.user();
    assert.equal((await world.search({ registrar: 'many', position }, stranger)).status, 400);
  });

  await t.test('a colleague of the account may go on, and pages may change their size', async () => {
    const colleague = await world.server.user({ account: world.user.caller.account.name });
    assert.equal((await world.names({ registrar: 'many', position, page_size: '1' }, colleague)).length, 1);
  });

  await t.test('INV-S04 a day later it has expired', async () => {
    world.server.clock.advanceSeconds(86_399);
    assert.equal((await world.names({ registrar: 'many', position })).length, 2);
    world.server.clock.advanceSeconds(2);
    assert.match(await world.refusal({ registrar: 'many', position }), /position: has expired/);
  });
});

test('next', async (t) => {
  const world = await investigated(t, { 'http.publicUrl': 'https://names.test', 'http.mountPrefix': '/dt' });
  const { server, user } = world;
  await world.know(many(5, (index) => ({ website_title: `a+b & ${index % 2}` })));
  const follow = async (url: string) => {
    assert.ok(url.startsWith('https://names.test/dt/v1/'), url);
    return (await server.call(`GET ${url.slice('https://names.test'.length)}`, { key: user.key })).json
      .response;
  };

  await t.test('INV-S05 INV-S06 next leads through all pages and is absent on the last', async () => {
    const walked: string[] = [];
    let response = await world.response('registrar=many&page_size=2&next=true&sort_by=domain&parsed_whois=1');
    for (let page = 0; page < 3; page += 1) {
      walked.push(...response.results.map(({ domain }: { domain: string }) => domain));
      assert.ok(response.results.every((one: object) => 'parsed_whois' in one));
      assert.equal('next' in response, page < 2);
      if (page < 2) response = await follow(response.next);
    }
    assert.deepEqual(
      walked,
      Array.from({ length: 5 }, (_, index) => named(index)),
    );
  });

  await t.test('INV-S07 next is absent unless it was asked for', async () => {
    assert.ok(!('next' in (await world.response('registrar=many&page_size=2'))));
    assert.ok(!('next' in (await world.response('registrar=many&page_size=2&next=false'))));
  });

  await t.test('INV-S08 next holds no credentials, however they were sent', async () => {
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

  await t.test('next of a query, and of a long search, goes on by a search hash', async () => {
    const query = '# NameglassQL-1.0\nregistrar = many OR registrar = none';
    const asked = 'POST /v1/intel-investigate/?page_size=3&next=true&sort_by=domain';
    const { json } = await server.call(asked, { key: user.key, body: query });
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
});

test('INV-S11 INV-S12 page_size can only be made smaller, and is a positive integer', async (t) => {
  const world = await investigated(t, { 'limits.investigate.pageSizeMax': '3' });
  await world.know(many(5));
  assert.equal((await world.names('registrar=many')).length, 3);
  assert.equal((await world.names('registrar=many&page_size=4')).length, 3);
  assert.equal((await world.names('registrar=many&page_size=999999999')).length, 3);
  assert.equal((await world.names('registrar=many&page_size=2')).length, 2);
  for (const size of ['0', '-1', '1.5', 'all', '', '1e2'])
    assert.match(await world.refusal({ registrar: 'many', page_size: size }), /page_size: /);
});

test('sorting', async (t) => {
  const world = await investigated(t);
  const of = (day: string, create: string | undefined, score: number | undefined): Fields => ({
    first_seen: `${day}T00:00:00.000Z`,
    ...(score === undefined ? {} : { domain_risk: { risk_score: score, components: [] } }),
    parsed_whois: { registrar: 'Many', ...(create === undefined ? {} : { create_date: create }) },
  });
  await world.know({
    'b.example': of('2026-03-01', '2026-01-02', 50),
    'a.example': of('2026-03-01', '2026-01-03', 50),
    'd.example': of('2026-03-03', '2026-01-01', 9),
    'c.example': of('2026-02-28', '2026-01-02', 100),
  });
  const order = async (query: string) =>
    (await world.names(`registrar=many&${query}`)).map((name) => name[0]).join('');

  await t.test('INV-S13 INV-S14 by first seen, newest first, equal ones by name', async () => {
    assert.equal(await order(''), 'dabc');
    assert.equal(await order('sort_by=first_seen_since'), 'dabc');
  });
  await t.test('INV-S15 by creation date, newest first', async () => {
    assert.equal(await order('sort_by=create_date'), 'abcd');
  });
  await t.test('INV-S16 by name', async () => assert.equal(await order('sort_by=domain'), 'abcd'));
  await t.test('INV-S17 by score, lowest first', async () => {
    assert.equal(await order('sort_by=risk_score'), 'dabc');
  });
  await t.test('INV-S18 INV-S19 each order in both directions', async () => {
    for (const [by, ascending, descending] of [
      ['first_seen_since', 'cabd', 'dabc'],
      ['create_date', 'dbca', 'abcd'],
      ['domain', 'abcd', 'dcba'],
      ['risk_score', 'dabc', 'cabd'],
    ]) {
      assert.equal(await order(`sort_by=${by}&sort_direction=asc`), ascending, by);
      assert.equal(await order(`sort_by=${by}&sort_direction=dsc`), descending, by);
    }
    assert.equal(await order('sort_direction=asc'), 'cabd');
  });
  await t.test('INV-S20 an unknown order or direction answers 400', async () => {
    for (const by of ['name', '', 'DOMAIN', 'domain,risk_score'])
      assert.match(await world.refusal({ registrar: 'x', sort_by: by }), /sort_by: /);
    for (const direction of ['desc', 'up', '']) {
      const message = await world.refusal({ registrar: 'x', sort_direction: direction });
      assert.match(message, /sort_direction: must be one of asc, dsc/);
    }
  });
});
