import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { analyst, type DetectFixture, detectFixture, freshAccounts, type Json } from './detect-fixture.ts';

const route = '/v1/intel-detect/escalations/';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

async function withDomains(fresh: () => Promise<DetectFixture>, count: number) {
  const world = await fresh();
  await world.monitor('acme');
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) ids.push(await world.discover(`acme-${number}.example`));
  const recorded = async (query = ''): Promise<Json> => {
    const answer = await world.call(`GET ${route}?${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  return { ...world, ids, recorded };
}

const fresh = await freshAccounts({ after });

test('ESC-01 ESC-03 ESC-04 the response has an escalation per domain, all members strings, with the caller and the request time', async () => {
  const { ids, escalate, user } = await withDomains(fresh, 2);
  const { status, json } = await escalate(ids, 'blocked');
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(json), ['escalations']);
  const time = '2026-03-04T10:11:12.000000+00:00';
  for (const [index, escalation] of json.escalations.entries()) {
    const { id, ...others } = escalation;
    assert.match(id, /^[A-Za-z0-9]{10}$/);
    assert.deepEqual(others, {
      watchlist_domain_id: ids[index],
      escalation_type: 'blocked',
      created_date: time,
      updated_date: time,
      created_by: user.username,
    });
  }
  assert.equal(json.escalations.length, 2);
});

test('ESC-02 external_safe is accepted and pending submission; blocked is not submitted', async () => {
  const { ids, escalate, recorded } = await withDomains(fresh, 2);
  assert.equal((await escalate([ids[0]], 'external_safe')).status, 200);
  assert.equal((await escalate([ids[1]], 'blocked')).status, 200);
  const { escalations } = await recorded();
  assert.deepEqual(
    escalations.map(({ domain, escalation_type, submission }: Json) => [domain, escalation_type, submission]),
    [
      ['acme-1.example', 'blocked', null],
      ['acme-0.example', 'external_safe', { status: 'waiting', attempts: 0, error: null }],
    ],
  );
});

test('ESC-05 ESC-06 ESC-07 ESC-08 an escalated domain becomes watched whatever its state was, and shows the escalation', async () => {
  for (const type of ['blocked', 'external_safe']) {
    const { ids, escalate, patch, names, list } = await withDomains(fresh, 3);
    await patch([ids[1]], 'watched');
    await patch([ids[2]], 'ignored');
    const { json } = await escalate(ids, type);
    assert.deepEqual([await names('new'), await names('ignored')], [[], []]);
    const { watchlist_domains } = await list('watched');
    assert.equal(watchlist_domains.length, 3);
    for (const item of watchlist_domains) {
      const { id } = json.escalations.find((one: Json) => one.watchlist_domain_id === item.id);
      assert.deepEqual(
        item.escalations.map((one: Json) => [one.id, one.escalation_type]),
        [[id, type]],
      );
    }
  }
});

test('ESC-09 both types on one domain are two escalations', async () => {
  const { ids, escalate, item } = await withDomains(fresh, 1);
  await escalate(ids, 'blocked');
  await escalate(ids, 'external_safe');
  const { escalations } = await item('watched', 'acme-0.example');
  assert.deepEqual(escalations.map((one: Json) => one.escalation_type).sort(), ['blocked', 'external_safe']);
});

test('ESC-10 ESC-11 blocked accepts 100 domains, external_safe 10; one more is refused with 422 and records nothing', async () => {
  const { ids, escalate, recorded, names } = await withDomains(fresh, 101);
  for (const [type, most] of [
    ['blocked', 100],
    ['external_safe', 10],
  ] as const) {
    const refused = await escalate(ids.slice(0, most + 1), type);
    assert.equal(refused.status, 422);
    assert.deepEqual(Object.keys(refused.json.error.messages), ['watchlist_domain_ids']);
    assert.equal((await recorded(`escalation_type=${type}`)).count, 0);
    const accepted = await escalate([...ids.slice(0, most), ids[0]], type);
    assert.equal(accepted.json.escalations.length, most, 'a domain named twice is one domain');
  }
  assert.equal((await names('watched')).length, 100);
});

test('ESC-12 ESC-13 a missing member is named with 422', async () => {
  const { ids, call, recorded } = await withDomains(fresh, 1);
  const named = async (body: object) => {
    const { status, json } = await call(`POST ${route}`, { body });
    assert.equal(status, 422);
    return json.error.messages;
  };
  const idsMissing = { watchlist_domain_ids: ['The watchlist_domain_ids field is required.'] };
  const typeMissing = { escalation_type: ['The escalation_type field is required.'] };
  assert.deepEqual(await named({ escalation_type: 'blocked' }), idsMissing);
  assert.deepEqual(await named({ watchlist_domain_ids: ids }), typeMissing);
  assert.deepEqual(await named({}), { ...idsMissing, ...typeMissing });
  assert.equal((await recorded()).count, 0);
});

test('ESC-14 any other type is refused with 422 and named', async () => {
  const { ids, escalate, recorded, names } = await withDomains(fresh, 1);
  for (const type of [
    'google_safe',
    'Blocked',
    '',
    'blocked,external_safe',
    5,
    null,
    true,
    ['blocked'],
    {},
  ]) {
    const { status, json } = await escalate(ids, type);
    assert.deepEqual([status, Object.keys(json.error.messages)], [422, ['escalation_type']]);
  }
  for (const wrong of [[], '', 5, null, {}, [5], [null]]) {
    const { status, json } = await escalate(wrong, 'blocked');
    assert.deepEqual([status, Object.keys(json.error.messages)], [422, ['watchlist_domain_ids']]);
  }
  assert.equal((await recorded()).count, 0);
  assert.equal((await names('new')).length, 1);
});

test('ESC-15 a form is accepted too, and so are ids as one comma-separated string', async () => {
  const { ids, call } = await withDomains(fresh, 4);
  const repeated = `watchlist_domain_ids[]=${ids[0]}&watchlist_domain_ids[]=${ids[1]}&escalation_type=blocked`;
  const joined = `watchlist_domain_ids=${ids[2]},${ids[3]}&escalation_type=blocked&app_name=x`;
  for (const body of [repeated, joined]) {
    const { status, json } = await call(`POST ${route}`, { headers: form, body });
    assert.deepEqual([status, json.escalations.length], [200, 2]);
  }
});

test('ESC-16 the same type again is refused with 422, names the field, and records nothing of the request', async () => {
  const { ids, escalate, recorded } = await withDomains(fresh, 2);
  await escalate([ids[0]], 'blocked');
  const { status, json } = await escalate(ids, 'blocked');
  assert.equal(status, 422);
  assert.deepEqual(Object.keys(json.error.messages), ['watchlist_domain_ids']);
  assert.ok(json.error.messages.watchlist_domain_ids[0].includes(ids[0]));
  assert.equal((await recorded()).count, 1);
});

test('ESC-17 an id of another account is answered like an unknown one: 404 with the id, and nothing is recorded', async () => {
  const { ids, escalate, recorded, names, ...world } = await withDomains(fresh, 1);
  const otherUser = await world.server.user({ permissions: analyst });
  await world.monitor('acme', {}, otherUser);
  const theirs = await world.discover('acme-theirs.example', { by: otherUser });
  const foreign = await escalate([ids[0], theirs], 'blocked');
  const absent = await escalate([ids[0], 'AAAAAAAAAA'], 'blocked');
  assert.deepEqual([foreign.status, absent.status], [404, 404]);
  assert.equal(foreign.text, absent.text.replace('AAAAAAAAAA', theirs));
  assert.equal(
    absent.json.error.message,
    'No domain on the watchlist has the id AAAAAAAAAA. Nothing was changed.',
  );
  assert.equal((await recorded()).count, 0);
  assert.equal((await names('new')).length, 1);
  assert.deepEqual(await names('new', '', otherUser), ['acme-theirs.example']);
});

test('ESC-18 escalated domains are found on the watched list by type and time', async () => {
  const { ids, escalate, patch, names, server } = await withDomains(fresh, 3);
  await patch([ids[2]], 'watched');
  await escalate([ids[0]], 'blocked');
  server.clock.advanceSeconds(60);
  await escalate([ids[1]], 'external_safe');
  assert.deepEqual(await names('watched', 'escalation_types[]=blocked'), ['acme-0.example']);
  assert.deepEqual(await names('watched', 'escalated_since=-30'), ['acme-1.example']);
  assert.equal((await names('watched', 'escalated_since=-90')).length, 2);
});

test('escalations are listed newest first, in pages, and only those of the account', async () => {
  const { ids, escalate, recorded, call, ...world } = await withDomains(fresh, 5);
  const otherUser = await world.server.user({ permissions: analyst });
  for (const id of ids) await escalate([id], 'blocked');
  const seen: string[] = [];
  let query = 'limit=2';
  for (;;) {
    const page = await recorded(query);
    assert.equal(page.count, page.escalations.length);
    seen.push(...page.escalations.map(({ domain }: Json) => domain));
    assert.equal(page.has_more_results, seen.length < 5);
    if (!page.has_more_results) break;
    query = `limit=2&before=${page.next_before}`;
  }
  assert.deepEqual(
    seen,
    [4, 3, 2, 1, 0].map((number) => `acme-${number}.example`),
  );
  assert.equal((await recorded('escalation_type=external_safe')).count, 0);
  const theirs = await call(`GET ${route}?before=${(await recorded()).escalations[0].id}`, {
    by: otherUser,
  });
  assert.deepEqual(theirs.json, { count: 0, has_more_results: false, escalations: [] });
  for (const wrong of ['limit=0', 'limit=101', 'limit=x', 'escalation_type=burnt'])
    assert.equal((await call(`GET ${route}?${wrong}`)).status, 400, wrong);
});

test('on the compatibility paths escalations are sent, shown and searched with their clients’ names', async (t) => {
  const { escalate, list, call, monitor, discover } = await detectFixture(t, {
    settings: { 'compat.profile': 'vendor' },
  });
  await monitor('acme');
  const ids = [await discover('acme-a.example')];
  const vendor = '/v1/iris-detect';
  const body = { watchlist_domain_ids: ids, escalation_type: 'google_safe' };
  const { status, json } = await call(`POST ${vendor}/escalations/`, { body });
  assert.equal(status, 200);
  assert.equal(json.escalations[0].escalation_type, 'google_safe');
  const shown = await call(`GET ${vendor}/domains/watched/?escalation_types[]=google_safe`);
  assert.equal(shown.json.watchlist_domains[0].escalations[0].escalation_type, 'google_safe');
  const [neutral] = (await list('watched')).watchlist_domains;
  assert.equal(neutral.escalations[0].escalation_type, 'external_safe');
  assert.equal((await escalate(ids, 'google_safe')).status, 422);
});

test('LIM-17 escalations that are refused for an unknown id or a repetition do not count', async (t) => {
  const { monitor, discover, escalate } = await detectFixture(t, {
    settings: { 'limits.detect.escalationsPerMinute': '2' },
  });
  await monitor('acme');
  const [first, second] = [await discover('acme-one.example'), await discover('acme-two.example')];
  assert.equal((await escalate([first], 'blocked')).status, 200);
  for (let time = 0; time < 3; time += 1) {
    assert.equal((await escalate(['AAAAAAAAAA'], 'blocked')).status, 404);
    assert.equal((await escalate([first], 'blocked')).status, 422);
  }
  assert.equal((await escalate([second], 'blocked')).status, 200);
  assert.equal((await escalate([second], 'external_safe')).status, 429);
});
