/** What happens on the watchlist, as server-sent events to people who are signed in. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type EventStreamClient, startedStream } from '../../harness/server/event-stream.ts';
import { sameOrigin, type WebSession } from '../../harness/server/web-session.ts';
import { openSocket } from '../feed/feed-fixture.ts';
import { type TriageFixture, triageFixtures } from './triage-fixture.ts';

const fresh = await triageFixtures({ after });

async function follow(
  { server }: TriageFixture,
  { cookie }: WebSession,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStreamClient> {
  const sent = { host: sameOrigin.host, cookie, ...headers };
  return startedStream((await openSocket({ app: server.app, key: '' }, '/ui/api/events', sent)).answer);
}

function eventsOf({ text }: EventStreamClient) {
  return [...text.matchAll(/^(?:id: (.*)\n)?event: (.*)\ndata: (.*)\n\n/gm)].map(([, id, type, data]) => ({
    id,
    type,
    data: JSON.parse(data as string),
  }));
}

test('colleagues learn of discoveries, decisions and their undoing, with who and which', async () => {
  const world = await fresh();
  await world.monitor('acme');
  const bob = await world.person();
  const stream = await follow(world, bob);
  const id = await world.discover('acme1.example');
  const { decision_id } = await world.ann.decide([id], 'blocked');
  await world.ann.post(`/detect/decisions/${decision_id}/undo`);
  await stream.until(() => eventsOf(stream).length === 4);
  const seen = eventsOf(stream);
  assert.deepEqual(
    seen.map(({ type }) => type),
    ['discovered', 'escalated', 'decided', 'undone'],
  );
  const decision = {
    at: '2026-03-04T10:11:12.000Z',
    decision_id,
    by: world.ann.person.name,
    to: 'blocked',
    ids: [id],
  };
  assert.deepEqual([seen[2]?.data, seen[3]?.data], [decision, decision]);
  assert.deepEqual([seen[0]?.data.id, seen[0]?.data.domain], [id, 'acme1.example']);
  stream.answer.destroy();
});

test('a stream resumes after the event that the client names, and shows one account only', async () => {
  const [world, other] = [await fresh(), await fresh()];
  await world.monitor('acme');
  await other.monitor('acme');
  const first = await follow(world, world.ann);
  await world.discover('acme1.example');
  await first.until(() => eventsOf(first).length === 1);
  first.answer.destroy();
  await other.discover('acme9.example');
  const id = await world.discover('acme2.example');
  const second = await follow(world, world.ann, { 'last-event-id': eventsOf(first)[0]?.id ?? '' });
  await second.until(() => eventsOf(second).length === 1);
  assert.equal(eventsOf(second)[0]?.data.id, id);
  second.answer.destroy();
});

test('a stream says so and ends when its session is revoked', async () => {
  const world = await fresh();
  const stream = await follow(world, world.ann);
  const author = { actor: 'operator', atMs: world.server.clock.now() };
  await world.server.sessions.endSession(world.ann.person.id, world.ann.sessionId, author);
  await stream.until(() => stream.ended);
  assert.deepEqual(
    eventsOf(stream).map(({ type }) => type),
    ['signed-out'],
  );
});

test('without a session there is no stream', async () => {
  const { server } = await fresh();
  const { answer } = await openSocket({ app: server.app, key: '' }, '/ui/api/events', {
    host: sameOrigin.host,
  });
  assert.equal(answer.statusCode, 401);
});

test('followers over the API get withdrawals only if they ask for them', async () => {
  const world = await fresh();
  await world.monitor('acme');
  const id = await world.discover('acme1.example');
  const source = { app: world.server.app, key: world.user.key };
  const open = async (query: string) =>
    startedStream((await openSocket(source, `/v1/intel-detect/events/${query}`)).answer);
  const [usual, asking] = [await open(''), await open('?events[]=escalated&events[]=withdrawn')];
  const { decision_id } = await world.ann.decide([id], 'blocked');
  await world.ann.post(`/detect/decisions/${decision_id}/undo`);
  await world.discover('acme2.example');
  await asking.until(() => asking.events.length === 2);
  await usual.until(() => usual.events.length === 2);
  const kinds = (stream: EventStreamClient) => stream.events.map(({ data }) => data['event']);
  assert.deepEqual(
    [kinds(usual), kinds(asking)],
    [
      ['escalated', 'discovered'],
      ['escalated', 'withdrawn'],
    ],
  );
  assert.equal(asking.events[1]?.data['escalation_type'], 'blocked');
  for (const stream of [usual, asking]) stream.answer.destroy();
});
