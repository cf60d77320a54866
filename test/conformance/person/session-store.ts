/** What every store of sessions must do. Two sets of handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { hourMs, minuteMs, secondMs } from '../../../src/model/durations.ts';
import type { NewSession } from '../../../src/store/person/session-store.ts';
import { author } from '../new-user.ts';
import { ada, type OpenPersonStores, type PersonStores, withAccounts } from './person-fixture.ts';

const limits = { idleMs: 12 * hourMs, totalMs: 7 * 24 * hourMs };
const now = author.atMs;

async function withSession(t: TestContext, open: OpenPersonStores) {
  const handle = open(t);
  const stores = await withAccounts(handle());
  const { person } = await ada(stores);
  const start = (tokenDigest: string, more: Partial<NewSession> = {}) =>
    stores.sessions.createSession(
      { personId: person.id, tokenDigest, address: '192.0.2.1', agent: 'Browser', method: 'link', ...more },
      author,
    );
  const session = await start('token');
  const find = (digest = 'token', atMs = now, handles: PersonStores = stores) =>
    handles.sessions.findSession(digest, atMs, limits);
  return { ...stores, person, session, start, find, another: handle };
}

export function sessionStoreConformance(name: string, open: OpenPersonStores): void {
  describe(`${name} as a store of sessions`, () => {
    sessions(open);
    ends(open);
    links(open);
    attempts(open);
  });
}

function sessions(open: OpenPersonStores): void {
  test('a session is found by its token with its person and account, in every process', async (t) => {
    const { session, find, another } = await withSession(t, open);
    const found = await find('token', now, another());
    assert.deepEqual(found?.session, session);
    assert.deepEqual([found?.person.name, found?.account.name, found?.mustRotate], ['ada', 'acme', false]);
    assert.equal(await find('other'), undefined);
  });

  test('a session that is used goes on until its total age, one that is not ends by idleness', async (t) => {
    const { session, find, sessions: store } = await withSession(t, open);
    assert.ok(await find('token', now + limits.idleMs - 1));
    assert.equal(await find('token', now + limits.idleMs), undefined);
    for (let atMs = now; atMs < now + limits.totalMs; atMs += 11 * hourMs)
      await store.touchSession(session.id, atMs);
    assert.ok(await find('token', now + limits.totalMs - 1));
    assert.equal(await find('token', now + limits.totalMs), undefined);
  });

  test('a session from the future, because the clock was set back, is over', async (t) => {
    const { find } = await withSession(t, open);
    assert.equal(await find('token', now - hourMs), undefined);
    assert.ok(await find('token', now - minuteMs));
  });

  test('after a rotation the new token works, and the old one for another minute', async (t) => {
    const { find, sessions: store, people, person } = await withSession(t, open);
    await people.updatePerson(person.id, { permissions: ['admin'] }, author);
    assert.deepEqual([(await find())?.mustRotate, (await find())?.person.permissions], [true, ['admin']]);
    const digests = ['new', 'late'];
    const rotations = await Promise.all(digests.map((digest) => store.rotateSession('token', digest, now)));
    const [rotated = '', refused] = rotations[0] ? digests : digests.toReversed();
    assert.equal(rotations.filter(Boolean).length, 1);
    assert.equal((await find(rotated))?.mustRotate, false);
    assert.ok(await find('token', now + minuteMs - 1));
    assert.equal(await find('token', now + minuteMs), undefined);
    assert.ok(await find(rotated, now + minuteMs));
    assert.equal(await find(refused), undefined);
  });

  test('sessions are listed newest first, without those that have ended', async (t) => {
    const { person, session, start, sessions: store } = await withSession(t, open);
    const second = await store.createSession(
      { personId: person.id, tokenDigest: 'second', address: '::1', agent: '', method: 'password' },
      { ...author, atMs: now + 1 },
    );
    const list = (atMs: number) => store.listSessions(person.id, atMs, limits);
    assert.deepEqual(await list(now + 2), [second, session]);
    assert.deepEqual(await list(now + limits.idleMs), [second]);
    await start('third', { replaces: session.id });
    assert.equal(
      (await list(now + 2)).some(({ id }) => id === session.id),
      false,
    );
  });

  test('what is too old is deleted, and nothing else', async (t) => {
    const { find, sessions: store, person } = await withSession(t, open);
    await store.createLink(
      { tokenDigest: 'link', personId: person.id, expiresMs: now + hourMs, loopbackOnly: false },
      author,
    );
    await store.pruneSessions(now + limits.idleMs - 1, limits);
    assert.ok(await find());
    assert.equal(await store.findLink('link', now), undefined);
    await store.pruneSessions(now + limits.idleMs, limits);
    assert.equal(await find(), undefined);
  });
}

function ends(open: OpenPersonStores): void {
  test('a session ends at once in every process, and only for its own person', async (t) => {
    const { session, person, find, sessions: store, people, another, accounts } = await withSession(t, open);
    const other = another();
    const { person: bob } = await ada({ people }, { name: 'bob' });
    await assert.rejects(store.endSession(bob.id, session.id, author), { code: 'not-found' });
    await store.endSession(person.id, session.id, author);
    assert.equal(await find('token', now, other), undefined);
    assert.equal(await other.sessions.findSessionById(session.id, now, limits), undefined);
    const [entry] = await accounts.listAudit({ limit: 1 });
    assert.deepEqual([entry?.action, entry?.username], ['session.end', 'ada']);
  });

  test('all other sessions end, or all', async (t) => {
    const { session, person, start, find, sessions: store } = await withSession(t, open);
    await start('second');
    await start('third');
    assert.equal(await store.endSessions(person.id, session.id, author), 2);
    assert.deepEqual([(await find()) === undefined, await find('second')], [false, undefined]);
    assert.equal(await store.endSessions(person.id, undefined, author), 1);
    assert.equal(await find(), undefined);
  });

  test('sessions, links and unfinished sign-ins end with their person', async (t) => {
    const { person, find, sessions: store, people, start } = await withSession(t, open);
    const expiresMs = now + hourMs;
    await store.createLink(
      { tokenDigest: 'link', personId: person.id, expiresMs, loopbackOnly: false },
      author,
    );
    await store.createStep({ tokenDigest: 'step', kind: 'totp', personId: person.id, expiresMs }, now);
    await people.removePerson(person.id, author);
    assert.equal(await find(), undefined);
    assert.equal(await store.findLink('link', now), undefined);
    assert.equal(await store.findStep('step', now), undefined);
    await assert.rejects(start('late'), { code: 'not-found' });
  });
}

function links(open: OpenPersonStores): void {
  test('a link is found until it expires, used once, and replaced by the next', async (t) => {
    const { person, sessions: store, another } = await withSession(t, open);
    const link = { tokenDigest: 'one', personId: person.id, expiresMs: now + minuteMs, loopbackOnly: true };
    await store.createLink(link, author);
    assert.equal((await store.findLink('one', now + minuteMs - 1))?.loopbackOnly, true);
    assert.equal(await store.findLink('one', now + minuteMs), undefined);
    assert.equal(await store.findLink('one', now - hourMs), undefined);
    await store.createLink({ ...link, tokenDigest: 'two' }, author);
    assert.equal(await store.findLink('one', now), undefined);
    const uses = await Promise.all([
      store.useLink('two'),
      another().sessions.useLink('two'),
      store.useLink('two'),
    ]);
    assert.deepEqual(uses.filter(Boolean), [true]);
  });

  test('an unfinished sign-in keeps what it was given, expires, and is used once', async (t) => {
    const { person, sessions: store } = await withSession(t, open);
    const step = {
      tokenDigest: 'step',
      kind: 'new-passkey',
      personId: person.id,
      challenge: 'c',
      expiresMs: now + 5,
    } as const;
    await store.createStep(step, now);
    assert.deepEqual(await store.findStep('step', now), step);
    assert.equal(await store.findStep('step', now + 5), undefined);
    assert.deepEqual([await store.useStep('step'), await store.useStep('step')], [true, false]);
  });
}

function attempts(open: OpenPersonStores): void {
  const waitMs = (count: number) => (count < 3 ? 0 : count * minuteMs);

  test('attempts count together until one of the subjects must wait, and then do not count', async (t) => {
    const { sessions: store, another } = await withSession(t, open);
    const other = another().sessions;
    const [name, address] = ['name', 'address'].map((subject) => ({ subject, waitMs }));
    const both = [name, address] as { subject: string; waitMs: typeof waitMs }[];
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? store : other).countAttempt(both, now)),
    );
    const retryMs = now + 3 * minuteMs;
    assert.deepEqual(
      [
        results.length,
        results.filter((result) => result === retryMs).length,
        results.filter((result) => result === undefined).length,
      ],
      [6, 3, 3],
    );
    assert.equal(await store.countAttempt([both[0] as never], now + 3 * minuteMs), undefined);
    assert.equal(await store.countAttempt(both, now + 3 * minuteMs), now + 7 * minuteMs);
  });

  test('attempts are taken back, forgotten, and start anew after a day', async (t) => {
    const { sessions: store } = await withSession(t, open);
    const subject = [{ subject: 'name', waitMs }];
    for (let count = 0; count < 3; count += 1) await store.countAttempt(subject, now);
    await store.releaseAttempt(['name']);
    assert.equal(await store.countAttempt(subject, now), undefined);
    assert.equal(await store.forgetAttempts(['name']), 3);
    assert.equal(await store.countAttempt(subject, now), undefined);
    await store.countAttempt(subject, now + secondMs);
    assert.equal(await store.countAttempt(subject, now + 25 * hourMs), undefined);
    assert.equal(await store.countAttempt(subject, now + 25 * hourMs), undefined);
  });

  test('an attempt from the future, because the clock was set back, makes nobody wait', async (t) => {
    const { sessions: store } = await withSession(t, open);
    const subject = [{ subject: 'name', waitMs: () => hourMs }];
    await store.countAttempt(subject, now);
    assert.notEqual(await store.countAttempt(subject, now), undefined);
    assert.equal(await store.countAttempt(subject, now - 24 * hourMs), undefined);
  });
}
