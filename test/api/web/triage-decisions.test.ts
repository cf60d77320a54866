/** Decisions in the web UI, their undoing, and what is seen of both over the API. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type TriageFixture, triageFixtures } from './triage-fixture.ts';

type Json = Awaited<ReturnType<TriageFixture['ann']['get']>>;

const fresh = await triageFixtures({ after });

async function withDomains(count: number) {
  const world = await fresh();
  await world.monitor('acme');
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await world.discover(`acme${index}.example`));
  return { ...world, ids };
}

async function blocklist({ call, server, user }: TriageFixture) {
  const { blocklists } = (await call('GET /v1/intel-detect/blocklists/')).json;
  const { url } = blocklists.find(({ format }: Json) => format === 'rpz');
  const answer = await server.call(`GET ${new URL(url).pathname}${new URL(url).search}`);
  const version = await server.escalations.blocklistVersion(user.caller.account.id);
  return { text: answer.text, version };
}

test('domains are watched, ignored and blocked, and the API has the same lists', async () => {
  const world = await withDomains(3);
  const [a = '', b = '', c = ''] = world.ids;
  await world.ann.decide([a], 'watched');
  await world.ann.decide([b], 'ignored');
  const blocked = await world.ann.decide([c], 'blocked');
  assert.deepEqual(blocked.changed, [{ id: c, from: 'new', to: 'watched' }]);
  assert.deepEqual(
    [await world.names('new'), (await world.names('watched')).toSorted(), await world.names('ignored')],
    [[], ['acme0.example', 'acme2.example'], ['acme1.example']],
  );
  assert.equal((await world.item('watched', 'acme0.example')).assigned_by, world.ann.person.name);
  assert.match((await blocklist(world)).text, /acme2\.example/);
});

test('an undone decision is as if it had not been made: lists, escalations and the blocklist agree', async () => {
  const world = await withDomains(2);
  const before = await world.list('new', 'order=asc');
  const { decision_id } = await world.ann.decide(world.ids, 'blocked');
  const during = await blocklist(world);
  world.server.clock.advanceSeconds(3600);
  const undone = await world.ann.post(`/detect/decisions/${decision_id}/undo`);
  assert.deepEqual(undone, {
    changed: world.ids.map((id) => ({ id, from: 'watched', to: 'new' })),
    kept: [],
  });
  assert.deepEqual(await world.list('new', 'order=asc'), before);
  assert.deepEqual(await world.names('watched'), []);
  const now = await blocklist(world);
  assert.doesNotMatch(now.text, /acme/);
  assert.ok(now.version > during.version);
  const { escalations } = (await world.call('GET /v1/intel-detect/escalations/')).json;
  assert.deepEqual(escalations, []);
});

test('TRI-13 the API refuses the state new as before, also for a domain that was undone', async () => {
  const world = await withDomains(1);
  const refuse = async () => {
    const answer = await world.patch(world.ids, 'new');
    assert.equal(answer.status, 422);
    assert.match(answer.text, /state/);
  };
  const { decision_id } = await world.ann.decide(world.ids, 'watched');
  await refuse();
  await world.ann.post(`/detect/decisions/${decision_id}/undo`);
  await refuse();
});

test('decisions over the API are in the log, and can be undone in the web UI', async () => {
  const world = await withDomains(1);
  await world.patch(world.ids, 'ignored');
  const { decisions } = await world.ann.get('/detect/decisions');
  const [decision] = decisions;
  assert.deepEqual(
    { ...decision, id: undefined },
    {
      id: undefined,
      by: world.user.username,
      at: '2026-03-04T10:11:12.000Z',
      to: 'ignored',
      domains: 1,
      first_names: ['acme0.example'],
      undone: null,
      can_undo: true,
    },
  );
  await world.ann.post(`/detect/decisions/${decision.id}/undo`);
  const [undone] = (await world.ann.get('/detect/decisions')).decisions;
  assert.deepEqual([undone.undone.by, undone.can_undo], [world.ann.person.name, false]);
  assert.deepEqual(await world.names('new'), ['acme0.example']);
});

test('a domain that a colleague decided about is refused, with who and when', async () => {
  const world = await withDomains(2);
  const [a = '', b = ''] = world.ids;
  const bob = await world.person();
  await bob.decide([a], 'ignored');
  const expect = { [a]: 'new', [b]: 'new' };
  const { changed, refused } = await world.ann.decide([a, b], 'watched', { expect });
  assert.deepEqual(changed, [{ id: b, from: 'new', to: 'watched' }]);
  assert.deepEqual(refused, [
    {
      id: a,
      why: 'state',
      message: 'Somebody has decided about it since.',
      state: 'ignored',
      by: bob.person.name,
      at: '2026-03-04T10:11:12.000Z',
    },
  ]);
});

test('undoing after a colleague decided is a conflict that names them; the rest can be undone', async () => {
  const world = await withDomains(2);
  const [a = '', b = ''] = world.ids;
  const { decision_id } = await world.ann.decide(world.ids, 'watched');
  const bob = await world.person();
  await bob.decide([b], 'ignored');
  const path = `POST /detect/decisions/${decision_id}/undo`;
  const answer = await world.ann.call(path);
  assert.equal(answer.status, 409);
  assert.deepEqual(
    [answer.json.error.code, answer.json.error.conflicts],
    [
      'conflict',
      [
        {
          id: b,
          domain: 'acme1.example',
          by: bob.person.name,
          at: '2026-03-04T10:11:12.000Z',
          state: 'ignored',
        },
      ],
    ],
  );
  assert.deepEqual(await world.names('watched'), ['acme0.example']);
  const partly = await world.ann.call(path, { body: { skip_conflicts: true } });
  assert.deepEqual(partly.json.changed, [{ id: a, from: 'watched', to: 'new' }]);
  assert.deepEqual(partly.json.kept, [{ id: b, why: 'Somebody has decided about it since.' }]);
});

test('a submission that has left is not undone, and is named', async () => {
  const world = await withDomains(1);
  const { decision_id } = await world.ann.decide(world.ids, 'external_safe');
  const { escalations, clock } = world.server;
  const own = (await escalations.leaseSubmissions(999, clock.now(), clock.now() + 1)).find(
    ({ domainId }) => domainId === world.ids[0],
  );
  await escalations.recordSubmissionOutcome(own?.id ?? '', { status: 'submitted', atMs: clock.now() });
  const undone = await world.ann.post(`/detect/decisions/${decision_id}/undo`);
  assert.deepEqual([undone.changed, undone.kept.length], [[], 1]);
  assert.match(undone.kept[0].why, /cannot be called back/);
  assert.deepEqual(await world.names('watched'), ['acme0.example']);
});

test('all that match a filter are decided if as many match as the person confirmed', async () => {
  const world = await withDomains(3);
  await world.discover('acme-other.net');
  const filter = { list: 'new', tld: ['example'] };
  const wrong = await world.ann.call('POST /detect/decisions', { body: { filter, count: 4, to: 'ignored' } });
  assert.deepEqual([wrong.status, wrong.json.error.matching], [409, 3]);
  assert.deepEqual(await world.names('ignored'), []);
  const { changed } = await world.ann.post('/detect/decisions', { filter, count: 3, to: 'ignored' });
  assert.deepEqual([changed.length, await world.names('new')], [3, ['acme-other.net']]);
});

for (const [what, body, field] of [
  ['neither ids nor filter', { to: 'watched' }, 'ids'],
  ['both ids and filter', { to: 'watched', ids: ['x'], filter: { list: 'new' }, count: 1 }, 'ids'],
  ['a filter without a count', { to: 'watched', filter: { list: 'new' } }, 'count'],
  ['a count beyond the limit', { to: 'watched', filter: { list: 'new' }, count: 10_001 }, 'count'],
  ['an unknown target', { to: 'new', ids: ['x'] }, 'to'],
  ['a blank note', { to: 'watched', ids: ['x'], note: '  ' }, 'note'],
  ['more submissions than allowed', { to: 'external_safe', filter: { list: 'new' }, count: 101 }, 'count'],
] as const) {
  test(`a decision with ${what} is refused, and the field is named`, async () => {
    const { ann } = await fresh();
    const answer = await ann.call('POST /detect/decisions', { body });
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(Object.keys(answer.json.error.fields), [field]);
  });
}

test('reading, triage and escalation need their permissions, undoing too', async () => {
  const world = await withDomains(2);
  const [a = '', b = ''] = world.ids;
  const reader = await world.person(['read']);
  const triager = await world.person(['read', 'triage']);
  const { decision_id } = await world.ann.decide([a], 'blocked');
  const status = async (who: typeof reader, route: string, body: object) =>
    (await who.call(`POST ${route}`, { body })).status;
  assert.deepEqual(
    [
      await status(reader, '/detect/decisions', { ids: [b], to: 'watched' }),
      await status(reader, `/detect/domains/${b}/notes`, { text: 'x' }),
      await status(triager, '/detect/decisions', { ids: [b], to: 'blocked' }),
      await status(triager, `/detect/decisions/${decision_id}/undo`, {}),
      await status(triager, '/detect/decisions', { ids: [b], to: 'watched' }),
    ],
    [403, 403, 403, 403, 200],
  );
});

test('decisions of another account are unknown', async () => {
  const [world, other] = [await withDomains(1), await fresh()];
  const { decision_id } = await world.ann.decide(world.ids, 'watched');
  assert.equal((await other.ann.call(`POST /detect/decisions/${decision_id}/undo`)).status, 404);
  const { refused } = await other.ann.decide(world.ids, 'ignored');
  assert.deepEqual(refused[0].why, 'unknown');
});

test('two people who decide about the same domains at once have each domain decided once', async () => {
  const world = await withDomains(6);
  const bob = await world.person();
  const expect = Object.fromEntries(world.ids.map((id) => [id, 'new']));
  const [one, other] = await Promise.all([
    world.ann.decide(world.ids, 'watched', { expect }),
    bob.decide(world.ids.toReversed(), 'ignored', { expect }),
  ]);
  const ids = [...one.changed, ...other.changed].map(({ id }: Json) => String(id)).toSorted();
  assert.deepEqual(ids, world.ids.toSorted());
  assert.equal(one.refused.length + other.refused.length, 6);
});
