import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { hourMs, minuteMs } from '../../../src/model/durations.ts';
import { openAccountStore } from '../../../src/store/distributed/account/account-store.ts';
import { openPersonStores } from '../../../src/store/distributed/person/open-person-stores.ts';
import { PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import { keyVault } from '../../../src/store/key-vault.ts';
import { author, newUser } from '../../conformance/new-user.ts';
import { ada, type PersonStores, withAccounts } from '../../conformance/person/person-fixture.ts';
import { personStoreConformance } from '../../conformance/person/person-store.ts';
import { sessionStoreConformance } from '../../conformance/person/session-store.ts';
import { signOnStoreConformance } from '../../conformance/person/sign-on-store.ts';
import { newSchema, type PostgresServer, startPostgres } from '../../harness/engines/postgres.ts';
import { fileScope } from '../../harness/test-scope.ts';

const vault = keyVault(Buffer.alloc(32, 7));
const now = author.atMs;

/** Each call opens a node: a pool of its own. */
function open(t: TestContext, server: PostgresServer): () => PersonStores {
  const options = newSchema(server, ['accounts', 'people']);
  return () => {
    const database = new PostgresDatabase(options);
    t.after(() => database.close());
    return { accounts: openAccountStore(database, vault), ...openPersonStores(database, vault) };
  };
}

async function twoNodes(t: TestContext, server: PostgresServer) {
  const node = open(t, server);
  const one = await withAccounts(node());
  const nodes = [one, node()] as const;
  /** Does it so many times, on the two nodes in turn, all at once. */
  const atOnce = <Result>(times: number, work: (stores: PersonStores, index: number) => Promise<Result>) =>
    Promise.allSettled(
      Array.from({ length: times }, (_, index) => work(nodes[index % 2] as PersonStores, index)),
    );
  return { one, other: nodes[1], atOnce };
}

const valuesOf = <Value>(outcomes: readonly PromiseSettledResult<Value>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
const codesOf = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
const times = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);

function oneTimeCodes(server: PostgresServer): void {
  test('a recovery code and a time step are each accepted by one of two nodes, once, and audited once', async (t) => {
    const { one, atOnce } = await twoNodes(t, server);
    const { person } = await ada(one);
    await one.people.beginTotp(person.id, 'SECRET');
    await one.people.confirmTotp(person.id, { step: 7, recoveryDigests: ['code'] }, author);
    const codes = await atOnce(10, ({ people }) => people.useRecoveryCode(person.id, 'code', author));
    assert.equal(valuesOf(codes).filter(Boolean).length, 1);
    const steps = await atOnce(10, ({ people }) => people.useTotpStep(person.id, 8));
    assert.equal(valuesOf(steps).filter(Boolean).length, 1);
    assert.equal((await one.accounts.listAudit({ kind: 'recovery-code', limit: 10 })).length, 1);
  });

  test('an authenticator app is confirmed by one of two nodes, and not replaced by the other', async (t) => {
    const { one, other, atOnce } = await twoNodes(t, server);
    const { person } = await ada(one);
    await one.people.beginTotp(person.id, 'SECRET');
    const outcomes = await atOnce(6, ({ people }, index) =>
      people.confirmTotp(person.id, { step: index, recoveryDigests: [`code${index}`] }, author),
    );
    assert.deepEqual(codesOf(outcomes), times(5, 'conflict'));
    assert.equal(await other.people.countRecoveryCodes(person.id), 1);
    await assert.rejects(other.people.beginTotp(person.id, 'ANOTHER'), { code: 'conflict' });
  });

  test('a link and a step of a sign-in are each used by one of two nodes', async (t) => {
    const { one, atOnce } = await twoNodes(t, server);
    const { person } = await ada(one);
    const common = { personId: person.id, expiresMs: now + hourMs };
    await one.sessions.createLink({ ...common, tokenDigest: 'link', loopbackOnly: false }, author);
    await one.sessions.createStep({ ...common, tokenDigest: 'step', kind: 'totp' }, now);
    const links = await atOnce(10, ({ sessions }) => sessions.useLink('link'));
    const steps = await atOnce(10, ({ sessions }) => sessions.useStep('step'));
    for (const uses of [links, steps]) assert.equal(valuesOf(uses).filter(Boolean).length, 1);
  });

  test('a session gets one new token when two nodes rotate it at once', async (t) => {
    const { one, atOnce } = await twoNodes(t, server);
    const { person } = await ada(one);
    const how = { address: '192.0.2.1', agent: 'Browser', method: 'link' };
    await one.sessions.createSession({ personId: person.id, tokenDigest: 'token', ...how }, author);
    const rotated = await atOnce(10, ({ sessions }, index) =>
      sessions.rotateSession('token', `next${index}`, now),
    );
    assert.equal(valuesOf(rotated).filter(Boolean).length, 1);
  });

  test('attempts on two nodes count together, exactly', async (t) => {
    const { one, atOnce } = await twoNodes(t, server);
    const waitMs = (count: number) => (count < 7 ? 0 : minuteMs);
    // In both orders, which must not make the nodes wait for each other.
    const subjects = ['name', 'address', 'both'].map((subject) => ({ subject, waitMs }));
    const outcomes = await atOnce(40, ({ sessions }, index) =>
      sessions.countAttempt(index % 4 < 2 ? subjects : subjects.toReversed(), now),
    );
    const values = valuesOf(outcomes);
    assert.equal(values.filter((retryMs) => retryMs === undefined).length, 7);
    assert.equal(values.filter((retryMs) => retryMs === now + minuteMs).length, 33);
    await atOnce(3, ({ sessions }) => sessions.releaseAttempt(['name', 'both']));
    assert.equal(await one.sessions.forgetAttempts(['name', 'address', 'both']), 4 + 7 + 4);
  });
}

function names(server: PostgresServer): void {
  test('of many who create people of one name on two nodes at once, one succeeds', async (t) => {
    const { one, atOnce } = await twoNodes(t, server);
    const outcomes = await atOnce(6, ({ people }, index) =>
      ada({ people }, { name: index % 3 === 0 ? 'ada' : 'ADA' }),
    );
    assert.deepEqual(codesOf(outcomes), times(5, 'already-exists'));
    assert.equal((await one.people.listPeople({ limit: 10 })).length, 1);
  });

  test('a person and a user of one name in different accounts are not created by two nodes at once', async (t) => {
    const { atOnce } = await twoNodes(t, server);
    for (let round = 0; round < 10; round += 1) {
      const name = `name${round}`;
      const outcomes = await atOnce<unknown>(2, ({ people, accounts }, index) =>
        index === 0
          ? ada({ people }, { name })
          : accounts.createUser(newUser(name, { account: 'other' }), [], author),
      );
      assert.deepEqual(codesOf(outcomes), ['already-exists']);
    }
  });

  test('an account has exactly peopleMax people after 30 creations on two nodes at once', async (t) => {
    const { one, atOnce } = await twoNodes(t, server);
    const outcomes = await atOnce(30, ({ people }, index) =>
      ada({ people }, { name: `person${index}`, peopleMax: 11 }),
    );
    assert.deepEqual(codesOf(outcomes), times(19, 'permission-denied'));
    assert.equal((await one.people.listPeople({ limit: 100 })).length, 11);
  });

  test('a person has exactly passkeysMax passkeys, and a credential belongs to one, after additions on two nodes at once', async (t) => {
    const { one, atOnce } = await twoNodes(t, server);
    const [{ person }, { person: bob }] = [await ada(one), await ada(one, { name: 'bob' })];
    const key = { name: 'key', publicKey: Buffer.of(1), counter: 0, transports: [] };
    const added = await atOnce(12, ({ people }, index) =>
      people.addPasskey({ ...key, id: `key${index}`, personId: person.id }, 5, author),
    );
    assert.deepEqual(codesOf(added), times(7, 'permission-denied'));
    const same = await atOnce(6, ({ people }) =>
      people.addPasskey({ ...key, id: 'one', personId: bob.id }, 5, author),
    );
    assert.deepEqual(codesOf(same), times(5, 'already-exists'));
  });

  test('a name with a NUL character, which PostgreSQL has no text for, is unknown and counted as any other', async (t) => {
    const { one } = await twoNodes(t, server);
    assert.equal(await one.people.findPerson('a\0da'), undefined);
    assert.equal(
      await one.sessions.countAttempt([{ subject: 'name a\0da', waitMs: () => 0 }], now),
      undefined,
    );
  });
}

function access(server: PostgresServer): void {
  test('nobody signs in on one node while or after another disables them', async (t) => {
    const { one, other } = await twoNodes(t, server);
    const limits = { idleMs: hourMs, totalMs: hourMs };
    for (let round = 0; round < 10; round += 1) {
      const { person } = await ada(one, { name: `person${round}` });
      const session = { personId: person.id, address: '192.0.2.1', agent: 'Browser', method: 'link' };
      await Promise.allSettled([
        other.sessions.createSession({ ...session, tokenDigest: `first${round}` }, author),
        one.people.updatePerson(person.id, { disabled: true }, author),
        other.sessions.createSession({ ...session, tokenDigest: `second${round}` }, author),
      ]);
      assert.deepEqual(await other.sessions.listSessions(person.id, now, limits), []);
    }
  });

  test('no more sign-ins are under way than allowed, with requests to two nodes at once, and each returns once', async (t) => {
    const { one, atOnce } = await twoNodes(t, server);
    const { account, person } = await ada(one);
    const rules = { permissions: [], createsPeople: true, nameClaim: '', emailDomains: [] };
    const connection = { kind: 'oidc', issuer: 'https://id.example', clientId: 'n', scopes: [] } as const;
    const given = { accountId: account.id, connection, rules, enabled: true, listed: true };
    const created = await atOnce(6, ({ signOn }, index) =>
      signOn.createProvider({ ...given, name: index % 2 === 0 ? 'Corp' : 'corp' }, 3, author),
    );
    assert.deepEqual(codesOf(created), times(5, 'already-exists'));
    const [provider] = valuesOf(created);
    const begun = await atOnce(20, ({ signOn }, index) => {
      const request = {
        stateDigest: `state${index}`,
        providerId: provider?.id ?? '',
        purpose: 'sign-in',
        binding: 'cookie',
        nonce: 'nonce',
        codeVerifier: 'verifier',
        next: '/ui/',
        expiresMs: now + minuteMs,
      } as const;
      return signOn.createRequest(request, 8, now).then(() => request.stateDigest);
    });
    assert.deepEqual(codesOf(begun), times(12, 'too-many-connections'));
    const state = valuesOf(begun)[0] ?? '';
    const uses = await atOnce(6, ({ signOn }) => signOn.useRequest(state));
    assert.equal(valuesOf(uses).filter(Boolean).length, 1);
    const linked = await atOnce(6, ({ signOn }, index) =>
      signOn.linkIdentity(
        { providerId: provider?.id ?? '', subject: `sub${index}`, personId: person.id },
        author,
      ),
    );
    assert.deepEqual(codesOf(linked), times(5, 'already-exists'));
  });

  test('an account that requires single sign-on keeps an enabled provider, whatever two nodes do at once', async (t) => {
    const { one, other } = await twoNodes(t, server);
    const { account } = await ada(one);
    const rules = { permissions: [], createsPeople: true, nameClaim: '', emailDomains: [] };
    const connection = { kind: 'oidc', issuer: 'https://id.example', clientId: 'n', scopes: [] } as const;
    const common = { accountId: account.id, connection, rules, enabled: true, listed: true };
    const create = (name: string) => one.signOn.createProvider({ ...common, name }, 9, author);
    const [first, second] = [await create('First'), await create('Second')];
    await one.signOn.setRequired(account, true, author);
    const outcomes = await Promise.allSettled([
      one.signOn.removeProvider(account.id, first.id, author),
      other.signOn.updateProvider(account.id, second.id, { enabled: false }, author),
    ]);
    assert.deepEqual(codesOf(outcomes), ['conflict']);
    assert.equal((await other.accounts.checkAudit()).brokenAt, undefined);
  });
}

const postgres = await startPostgres(fileScope());
if (postgres) {
  const opened = (t: TestContext) => open(t, postgres);
  personStoreConformance('the distributed adapter', opened);
  sessionStoreConformance('the distributed adapter', opened);
  signOnStoreConformance('the distributed adapter', opened);
  oneTimeCodes(postgres);
  names(postgres);
  access(postgres);
} else test('the distributed stores of people', { skip: 'skipped: no PostgreSQL' });
