/** The card of a domain: reasons, shared values, history, notes, assignee, picture. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { storeRecords } from '../enrich/stored-records.ts';
import { triageFixtures } from './triage-fixture.ts';

const fresh = await triageFixtures({ after });

test('the card has decisions, notes, reasons of the score, shared values and history', async () => {
  const world = await fresh();
  const { id: monitorId } = await world.monitor('acme');
  const record = { registrar: 'Ember', name_server: [{ host: 'ns1.kit.example' }] };
  const id = await world.discover('acme-login.example', { record });
  await storeRecords(world.server, [{ domain: 'other.example', ...record }]);
  world.server.clock.advanceSeconds(60);
  await storeRecords(world.server, [{ domain: 'acme-login.example', ...record, registrar: 'Ash' }]);
  const { decision_id } = await world.ann.decide([id], 'watched', { note: 'the kit of May' });
  await world.ann.post(`/detect/domains/${id}/notes`, { text: 'seen twice' });
  const card = await world.ann.get(`/detect/domains/${id}`);
  const { name } = world.ann.person;
  const at = '2026-03-04T10:12:12.000Z';
  assert.deepEqual(card.decisions, [{ decision_id, by: name, at, from: 'new', to: 'watched', undone: null }]);
  assert.deepEqual(card.notes_list.map(({ text }: { text: string }) => text).toSorted(), [
    'seen twice',
    'the kit of May',
  ]);
  assert.deepEqual([card.notes, card.monitors], [2, { [monitorId]: 'acme' }]);
  assert.deepEqual(card.shared, [
    { field: 'name_server.host', value: 'ns1.kit.example', domains: 2, guided: true },
  ]);
  assert.deepEqual(card.history, [{ at, field: 'registrar', before: 'Ember', after: 'Ash' }]);
  const keys = card.reasons.map(({ code, text, value }: Record<string, string>) =>
    [code, text, value].join(),
  );
  assert.ok(keys.length > 0);
  assert.equal(new Set(keys).size, keys.length, 'each reason is there once');
});

test('a note is trimmed, and a blank or overlong one is refused', async () => {
  const world = await fresh();
  await world.monitor('acme');
  const id = await world.discover('acme1.example');
  const note = (text: string) => world.ann.call(`POST /detect/domains/${id}/notes`, { body: { text } });
  assert.equal((await note('  hello  ')).json.text, 'hello');
  const statuses = [await note(' \n '), await note('x'.repeat(4001)), await note('x'.repeat(4000))];
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [422, 422, 200],
  );
  const { notes } = await world.ann.get(`/detect/domains/${id}/notes`);
  assert.equal(notes.length, 2);
});

test('a domain is assigned to a person of the account, and to nobody again', async () => {
  const world = await fresh();
  await world.monitor('acme');
  const id = await world.discover('acme1.example');
  const bob = await world.person();
  const stranger = await (await fresh()).person();
  const assign = async (person: string | null) =>
    (await world.ann.call(`PUT /detect/domains/${id}/assignee`, { body: { person } })).status;
  assert.equal(await assign(bob.person.name), 204);
  assert.deepEqual(await world.ann.names(`list=new&assignee=${bob.person.name}`), ['acme1.example']);
  assert.equal(await assign(stranger.person.name), 422);
  assert.equal(await assign(null), 204);
  assert.deepEqual(await world.ann.names('list=new&assignee=none'), ['acme1.example']);
});

test('without a browser no picture is awaited, and one that finds it again takes them', async () => {
  const world = await fresh();
  await world.monitor('acme');
  await world.discover('acme1.example');
  const { health, jobs, clock } = world.server;
  await jobs.enqueue([{ kind: 'screenshot', subject: 'acme1.example', dueMs: clock.now() }]);
  const report = (off: string | undefined) => ({
    process: 'worker-without-browser',
    role: 'all',
    version: '0',
    startedMs: clock.now(),
    atMs: clock.now(),
    memoryBytes: 0,
    jobKinds: [],
    parts: [
      {
        kind: 'collector' as const,
        name: 'screenshots',
        unit: 'pictures' as const,
        startedMs: clock.now(),
        failuresUsual: 0,
        failuresInRow: 0,
        total: 0,
        perMinute: [],
        ...(off === undefined ? {} : { off }),
      },
    ],
  });
  const stateOf = async () => (await world.ann.get('/detect/domains?list=new')).domains[0].picture;
  await health.saveReport(report('no Chromium found'));
  assert.deepEqual(await stateOf(), { state: 'off' });
  await health.saveReport(report(undefined));
  assert.deepEqual(await stateOf(), { state: 'queued' });
  await health.removeReport('worker-without-browser');
});

test('a domain can be assigned to people of the account who may triage', async () => {
  const world = await fresh();
  const bob = await world.person();
  const reader = await world.person(['read']);
  const disabled = await world.person();
  const author = { actor: 'operator', atMs: world.server.clock.now() };
  await world.server.people.updatePerson(disabled.person.id, { disabled: true }, author);
  const { people } = await world.ann.get('/detect/assignees');
  assert.deepEqual(people, [world.ann.person.name, bob.person.name].toSorted());
  assert.equal((await reader.call('GET /detect/assignees')).status, 403);
});

test('a missing picture has its reason', async () => {
  const world = await fresh();
  await world.monitor('acme');
  const { images, jobs, clock } = world.server;
  for (const name of ['acme1.example', 'acme2.example', 'acme3.example', 'acme4.example'])
    await world.discover(name);
  await jobs.enqueue([{ kind: 'screenshot', subject: 'acme1.example', dueMs: clock.now() }]);
  await images.recordFailure('acme2.example', clock.now(), 'acme2.example has no address: ENOTFOUND');
  await images.recordFailure('acme3.example', clock.now(), 'the site answered nothing');
  const { domains } = await world.ann.get('/detect/domains?list=new&sort=name');
  const since = '2026-03-04T10:11:12.000Z';
  assert.deepEqual(
    domains.map(({ picture }: { picture: object }) => picture),
    [
      { state: 'queued' },
      { state: 'unresolved', since, error: 'acme2.example has no address: ENOTFOUND' },
      { state: 'failed', since, error: 'the site answered nothing' },
      { state: 'none' },
    ],
  );
});
