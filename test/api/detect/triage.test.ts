import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { DomainState } from '../../../src/model/detect/watchlist.ts';
import { analyst, type DetectFixture, detectFixture, freshAccounts, type Json } from './detect-fixture.ts';

const route = '/v1/intel-detect/domains/';

/** Three new domains of one monitor. */
async function threeNew(fresh: () => Promise<DetectFixture>) {
  const world = await fresh();
  await world.monitor('acme');
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) ids.push(await world.discover(`acme-${name}.example`));
  const letters = async (list: DomainState) =>
    (await world.names(list, 'order=asc')).map((name) => name.charAt(5)).join('');
  const where = async () => ({
    new: await letters('new'),
    watched: await letters('watched'),
    ignored: await letters('ignored'),
  });
  return { ...world, ids: ids as [string, string, string], where };
}

const fresh = await freshAccounts({ after });

test('TRI-01 a newly discovered domain is new', async () => {
  const { where } = await threeNew(fresh);
  assert.deepEqual(await where(), { new: 'abc', watched: '', ignored: '' });
});

test('TRI-02 TRI-05 TRI-10 watching and ignoring moves the given domains and no others', async () => {
  const { ids, patch, where } = await threeNew(fresh);
  assert.equal((await patch([ids[0]], 'watched')).status, 200);
  assert.deepEqual(await where(), { new: 'bc', watched: 'a', ignored: '' });
  assert.equal((await patch([ids[1], ids[2]], 'ignored')).status, 200);
  assert.deepEqual(await where(), { new: '', watched: 'a', ignored: 'bc' });
});

test('TRI-06 an ignored domain raises no events: neither a change, nor a score, nor being ignored', async () => {
  const { ids, patch, applyChange, server, user } = await threeNew(fresh);
  await patch([ids[0]], 'ignored');
  const before = await server.events.lastEventId(user.caller.account.id);
  await applyChange('acme-a.example', { riskScore: 99, riskStatus: 'full' }, '2026-03-04T10:11:12Z');
  await patch([ids[0]], 'ignored');
  assert.equal(await server.events.lastEventId(user.caller.account.id), before);
});

test('TRI-07 TRI-08 an ignored domain can be watched, and a watched one ignored', async () => {
  const { ids, patch, where } = await threeNew(fresh);
  await patch(ids, 'ignored');
  await patch([ids[0]], 'watched');
  assert.deepEqual(await where(), { new: '', watched: 'a', ignored: 'bc' });
  await patch([ids[0]], 'ignored');
  assert.deepEqual(await where(), { new: '', watched: '', ignored: 'abc' });
});

test('TRI-09 setting the state that a domain already has returns 200 and changes nothing', async () => {
  const { ids, patch, where } = await threeNew(fresh);
  for (const state of ['watched', 'watched', 'ignored', 'ignored']) {
    const { status, json } = await patch(ids, state);
    assert.equal(status, 200);
    assert.ok(json.watchlist_domains.every((item: Json) => item.state === state));
  }
  assert.deepEqual(await where(), { new: '', watched: '', ignored: 'abc' });
});

test('TRI-11 TRI-12 a missing member is named with 422', async () => {
  const { ids, call, where } = await threeNew(fresh);
  const named = async (body: object) => {
    const { status, json } = await call(`PATCH ${route}`, { body });
    assert.equal(status, 422);
    return json.error.messages;
  };
  const idsMissing = { watchlist_domain_ids: ['The watchlist_domain_ids field is required.'] };
  const stateMissing = { state: ['The state field is required.'] };
  assert.deepEqual(await named({ state: 'watched' }), idsMissing);
  assert.deepEqual(await named({ watchlist_domain_ids: ids }), stateMissing);
  assert.deepEqual(await named({}), { ...idsMissing, ...stateMissing });
  assert.deepEqual(await where(), { new: 'abc', watched: '', ignored: '' });
});

test('TRI-13 any other state, new included, is refused with 422 and named', async () => {
  const { ids, patch, where } = await threeNew(fresh);
  for (const state of ['new', '', 'Watched', 'watched ', 'blocked', 5, null, true, ['watched'], {}]) {
    const { status, json } = await patch(ids, state);
    assert.deepEqual([status, Object.keys(json.error.messages)], [422, ['state']], JSON.stringify(state));
  }
  assert.deepEqual(await where(), { new: 'abc', watched: '', ignored: '' });
});

test('TRI-14 ids that are malformed, not a list, or not strings are refused with 422 and named', async () => {
  const { ids, patch, where } = await threeNew(fresh);
  const many = Array.from({ length: 1001 }, () => ids[0]);
  for (const wrong of [[], '', ' , ', 5, null, true, {}, [5], [null], [[ids[0]]], [ids[0], 7], many]) {
    const { status, json } = await patch(wrong, 'watched');
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(json.error.messages), ['watchlist_domain_ids'], JSON.stringify(wrong));
  }
  assert.deepEqual(await where(), { new: 'abc', watched: '', ignored: '' });
});

test('TRI-14 thousands of wrong ids are refused with a short message, and more than 10,000 values before they are parsed', async () => {
  const { patch } = await threeNew(fresh);
  for (const [length, expected] of [
    [9000, 422],
    [300_000, 400],
  ] as const) {
    const { status, text } = await patch(
      Array.from({ length }, () => 1),
      'watched',
    );
    assert.equal(status, expected);
    assert.ok(text.length < 1000, text.slice(0, 1000));
  }
});

test('TRI-15 ids as one comma-separated string are accepted', async () => {
  const { ids, patch, where } = await threeNew(fresh);
  assert.equal((await patch(ids.slice(0, 2).join(','), 'watched')).status, 200);
  assert.equal((await patch(` ${ids[2]} ,`, 'ignored')).status, 200);
  assert.deepEqual(await where(), { new: '', watched: 'ab', ignored: 'c' });
});

test('TRI-16 an id of another account is answered like an unknown one: 404 with the id, and no domain of the request changes', async () => {
  const { ids, patch, where, ...world } = await threeNew(fresh);
  const otherUser = await world.server.user({ permissions: analyst });
  await world.monitor('acme', {}, otherUser);
  const theirs = await world.discover('acme-theirs.example', { by: otherUser });
  assert.match(theirs, /^\w{10}$/);
  const foreign = await patch([ids[0], theirs], 'watched');
  const absent = await patch([ids[0], 'AAAAAAAAAA'], 'watched');
  assert.deepEqual([foreign.status, absent.status], [404, 404]);
  assert.equal(foreign.text, absent.text.replace('AAAAAAAAAA', theirs));
  assert.equal(
    absent.json.error.message,
    'No domain on the watchlist has the id AAAAAAAAAA. Nothing was changed.',
  );
  const message = async (...unknown: readonly string[]) =>
    /the id (.*)\. Nothing/.exec((await patch([ids[0], ...unknown], 'watched')).json.error.message)?.[1];
  assert.equal(await message('__proto__', "' or 1=1 --", '\u0000'), '"__proto__", "\' or 1=1 --", "\\u0000"');
  assert.equal(await message('a'.repeat(100_000)), `"${'a'.repeat(40)}…"`);
  const numbered = Array.from({ length: 25 }, (_, number) => `unknown${number}`);
  assert.equal(await message(...numbered), `${numbered.slice(0, 20).join(', ')} and 5 more`);
  assert.deepEqual(await where(), { new: 'abc', watched: '', ignored: '' });
  assert.deepEqual(await world.names('new', '', otherUser), ['acme-theirs.example']);
});

test('TRI-17 TRI-18 the response has the domains with the user and the time of the change', async () => {
  const { ids, patch, server, user, applyChange } = await threeNew(fresh);
  await patch([ids[0]], 'watched');
  await applyChange('acme-a.example', {}, '2026-03-04T10:12:00Z');
  const colleague = await server.user({ account: user.caller.account.name, permissions: analyst });
  server.clock.set('2026-03-04T11:00:00.007Z');
  const { json } = await patch([ids[1], ids[0], ids[1]], 'ignored', colleague);
  assert.deepEqual(Object.keys(json), ['watchlist_domains']);
  const common = { discovered_date: '2026-03-04T10:11:12.000000+00:00' };
  const assigned = { assigned_by: colleague.username, assigned_date: '2026-03-04T11:00:00.007000+00:00' };
  const changed = '2026-03-04T10:12:00.000000+00:00';
  assert.equal(
    JSON.stringify(json.watchlist_domains),
    JSON.stringify([
      {
        state: 'ignored',
        domain: 'acme-b.example',
        ...common,
        changed_date: null,
        id: ids[1],
        ...assigned,
      },
      {
        state: 'ignored',
        domain: 'acme-a.example',
        ...common,
        changed_date: changed,
        id: ids[0],
        ...assigned,
      },
    ]),
  );
});

test('TRI-19 a domain that is discovered again keeps its state and its discovery time', async () => {
  const { ids, patch, where, ...world } = await threeNew(fresh);
  await patch([ids[0]], 'watched');
  await patch([ids[1]], 'ignored');
  world.server.clock.advanceSeconds(3600);
  const other = (await world.monitor('bolt')).id;
  for (const name of ['a', 'b']) await world.discover(`acme-${name}.example`, { monitors: [other] });
  assert.deepEqual(await where(), { new: 'c', watched: 'a', ignored: 'b' });
  const item = await world.item('watched', 'acme-a.example');
  assert.equal(item.discovered_date, '2026-03-04T10:11:12.000000+00:00');
  assert.equal(item.monitor_ids.length, 2);
});

test('TRI-03 a change of a watched domain updates its changed_date, and changed_since finds it', async () => {
  const { ids, patch, ...world } = await threeNew(fresh);
  await patch(ids, 'watched');
  for (const at of ['2026-03-04T10:12:00Z', '2026-03-04T10:13:00Z']) {
    await world.applyChange('acme-a.example', {}, at);
    const found = await world.list('watched', `changed_since=${at}`);
    const dates = found.watchlist_domains.map((item: Json) => [item.domain, item.changed_date]);
    assert.deepEqual(dates, [['acme-a.example', at.replace('Z', '.000000+00:00')]]);
  }
});

test('GEN-06 credentials, application parameters and unknown members in the body are ignored', async () => {
  const { ids, user, server, where } = await threeNew(fresh);
  const body = {
    watchlist_domain_ids: [ids[0]],
    state: 'watched',
    api_username: user.username,
    api_key: user.key,
    app_name: 'client',
    app_version: 7,
    headers: {},
  };
  assert.equal((await server.call(`PATCH ${route}`, { body })).status, 200);
  assert.deepEqual(await where(), { new: 'bc', watched: 'a', ignored: '' });
});

test('TRI-04 a domain is probed and captured as soon as it is watched, and not when it is ignored', async (t) => {
  const { server, monitor, discover, patch } = await detectFixture(t);
  await monitor('acmebank');
  const [watched, ignored] = [await discover('acmebank-one.com'), await discover('acmebank-two.com')];
  await patch([watched], 'watched');
  await patch([ignored], 'ignored');
  for (const kind of ['collect', 'screenshot']) {
    const nowMs = server.clock.now();
    const due = await server.jobs.leaseJobs(kind, 10, nowMs, nowMs + 60_000);
    assert.deepEqual(
      due.map(({ subject }) => subject),
      ['acmebank-one.com'],
    );
  }
});
