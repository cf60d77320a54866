/** Feeds in the web UI: what they hold, sessions, live lines. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { webSession } from '../../harness/server/web-session.ts';
import { feedServer, withFeeds } from '../feed/feed-fixture.ts';

const server = await feedServer({ after });
const account = async () => {
  const user = await server.user({ permissions: ['admin'] });
  const me = await webSession(server, { account: user.caller.account.name, permissions: ['manage'] });
  return { me, feeds: withFeeds(server, user.key, user.username), user };
};

// biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
const feedOf = (json: any, name: string) => json.feeds.find(({ feed }: { feed: string }) => feed === name);

test('a feed says how many lines it keeps, how many came in the last hour, and when the newest came', async () => {
  const { me, feeds } = await account();
  server.clock.set('2026-03-04T10:00:00Z');
  await feeds.appendNames('nad', 'old.example');
  server.clock.set('2026-03-04T12:30:20Z');
  await feeds.appendNames('nad', 'one.example', 'two.example');
  const { json, status } = await me.call('GET /feeds');
  assert.equal(status, 200);
  assert.equal(json.feeds.length, 9);
  const { lines, lines_last_hour, oldest, newest } = feedOf(json, 'nad');
  assert.deepEqual(
    [lines, lines_last_hour, oldest, newest],
    [3, 2, '2026-03-04T10:00:00.000Z', '2026-03-04T12:30:00.000Z'],
  );
  assert.deepEqual([feedOf(json, 'iphotlist').lines, feedOf(json, 'iphotlist').newest], [0, null]);
});

test('a session of the account is listed with how far it is behind, and those of others are not', async () => {
  const [one, other] = [await account(), await account()];
  await one.feeds.appendNames('noh', 'a.example');
  await one.feeds.poll('noh', 'sessionID=siem&after=-3600');
  await one.feeds.appendNames('noh', 'b.example');
  const { sessions } = feedOf((await one.me.call('GET /feeds')).json, 'noh');
  assert.equal(sessions.length, 1);
  assert.deepEqual([sessions[0].session, sessions[0].behind_lines > 0], ['siem', true]);
  assert.deepEqual(feedOf((await other.me.call('GET /feeds')).json, 'noh').sessions, []);
});

test('a session is ended by those who manage the account, once', async () => {
  const { me, feeds, user } = await account();
  await feeds.appendNames('nod', 'a.example');
  await feeds.poll('nod', 'sessionID=a%20b&after=-3600');
  const reader = await webSession(server, { account: user.caller.account.name, permissions: ['read'] });
  assert.equal((await reader.call('DELETE /feed-sessions/nod/a%20b')).status, 403);
  assert.equal((await me.call('DELETE /feed-sessions/nod/a%20b')).status, 204);
  assert.equal((await me.call('DELETE /feed-sessions/nod/a%20b')).status, 404);
  assert.equal((await me.call('DELETE /feed-sessions/none/a')).status, 404);
});

test('reading what feeds hold is no poll: it moves no session and is charged to no feed', async () => {
  const { me, feeds } = await account();
  await feeds.appendNames('domaindiscovery', 'a.example');
  await feeds.poll('domaindiscovery', 'sessionID=s&after=-3600');
  await feeds.appendNames('domaindiscovery', 'b.example');
  await me.call('GET /feeds');
  const { text } = await feeds.poll('domaindiscovery', 'sessionID=s');
  assert.match(text, /b\.example/);
});

test('channels are listed with what they hold', async () => {
  const { me } = await account();
  const { json } = await me.call('GET /feeds');
  assert.ok(json.channels.some(({ number }: { number: number }) => number === 204));
});
