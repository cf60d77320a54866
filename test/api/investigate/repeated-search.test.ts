/** The cache of answers: a repeated question gets the same answer unless something has changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestStores } from '../../harness/server/test-stores.ts';
import { storeRecords } from '../enrich/stored-records.ts';
import { sharedInvestigateFixtures } from './investigate-fixture.ts';

const sharedFixture = sharedInvestigateFixtures();

let made = 0;

/** A domain of its own for each test, asked for twice in both products, so that the answers are cached. */
async function askedBefore() {
  const fixture = await sharedFixture();
  const domain = `asked${made++}.example`;
  await fixture.store({ [domain]: { server_type: 'first' } });
  const questions = [`/v1/intel-investigate/?domain=${domain}`, `/v1/intel-enrich/?domain=${domain}`];
  const ask = async (question: string, key = fixture.user.key) => {
    const answer = await fixture.server.call(`GET ${question}`, { key });
    assert.equal(answer.status, 200, answer.text);
    return answer;
  };
  for (const question of questions)
    assert.equal((await ask(question)).text, (await ask(question)).text, question);
  const shown = (key?: string) =>
    Promise.all(questions.map(async (question) => (await ask(question, key)).json.response.results[0]));
  const { server, user } = fixture;
  const tag = (label: string, scope: 'own' | 'team') => fixture.tag(user, domain, [label], scope);
  return { server, user, domain, questions, ask, shown, tag };
}

const serverTypes = (records: readonly { server_type: { value: string } }[]) =>
  records.map(({ server_type }) => server_type.value);
const labels = (records: readonly { tags: readonly { label: string }[] }[]) =>
  records.map(({ tags }) => tags.map(({ label }) => label));

test('a repeated question counts again', async () => {
  const { server, user, questions, ask } = await askedBefore();
  const used = async () => {
    const { json } = await server.call('GET /v1/account/', { key: user.key });
    const products: readonly { id: string; usage: { today: string } }[] = json.response.products;
    return products
      .filter(({ id }) => id === 'intel-enrich' || id === 'intel-investigate')
      .map(({ usage }) => usage.today);
  };
  assert.deepEqual(await used(), ['2', '2']);
  for (const question of questions) await ask(question);
  assert.deepEqual(await used(), ['3', '3']);
});

test('a changed record is in the next answer', async () => {
  const { server, domain, shown } = await askedBefore();
  await storeRecords(server, [{ domain, server_type: 'second' }]);
  assert.deepEqual(serverTypes(await shown()), ['second', 'second']);
  assert.deepEqual(serverTypes(await shown()), ['second', 'second']);
});

test('a record that another process has changed is in the next answer', async () => {
  const { server, domain, shown } = await askedBefore();
  const other = await openTestStores(server.directory, server.clock);
  try {
    const seenMs = server.clock.now();
    await other.domains.upsert([{ record: { domain, server_type: 'third' }, source: 'test', seenMs }]);
    assert.deepEqual(serverTypes(await shown()), ['third', 'third']);
  } finally {
    await other.close();
  }
});

test('a new tag is in the next answer, and an answer of one user is not given to another', async () => {
  const { server, shown, tag } = await askedBefore();
  const other = await server.user();
  await tag('own', 'own');
  assert.deepEqual(labels(await shown()), [['own'], ['own']]);
  assert.deepEqual(labels(await shown(other.key)), [[], []]);
  assert.deepEqual(labels(await shown()), [['own'], ['own']]);
});

test('a tag that has expired meanwhile is not in the next answer', async () => {
  const { server, user, shown, tag } = await askedBefore();
  await tag('brief', 'team');
  const reader = {
    accountId: user.caller.account.id,
    userId: user.caller.user.id,
    nowMs: server.clock.now(),
  };
  const [definition] = await server.domains.listTags(reader, 10);
  await server.domains.changeTag(definition?.id ?? '', { expiresMs: server.clock.now() + 5000 }, reader);
  assert.deepEqual(labels(await shown()), [['brief'], ['brief']]);
  server.clock.set(new Date(server.clock.now() + 5000).toISOString());
  assert.deepEqual(labels(await shown()), [[], []]);
});

test('a key that was reset gets no cached answer', async () => {
  const { server, user, questions } = await askedBefore();
  await server.accounts.resetKey(user.caller.user.username, 'a-new-key-of-its-own', {
    actor: 'operator',
    atMs: 0,
  });
  for (const question of questions) {
    const answer = await server.call(`GET ${question}`, { key: user.key });
    assert.equal(answer.status, 401, answer.text);
  }
});
