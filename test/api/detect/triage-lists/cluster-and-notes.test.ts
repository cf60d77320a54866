/** Clusters, notes and who works on a domain, with an API key. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedInFile } from '../../../harness/test-scope.ts';
import { detectFixture } from '../detect-fixture.ts';

const shared = sharedInFile((scope) => detectFixture(scope));
const base = '/v1/intel-detect';

/** A new account with three domains, two of which share a name server. */
async function withDomains() {
  const fixture = await shared([]);
  const by = await fixture.server.user({ permissions: ['read', 'triage', 'manage'] });
  await fixture.monitor('acme', {}, by);
  const host = `ns1.${by.username.toLowerCase().replace(/[^a-z0-9]/g, '')}.example`;
  const own = { record: { name_server: [{ host }] } };
  const prefix = host.split('.')[1] ?? '';
  const first = await fixture.discover(`acme-${prefix}-a.example`, { by, ...own });
  const second = await fixture.discover(`acme-${prefix}-b.example`, { by, ...own });
  const other = await fixture.discover(`acme-${prefix}-c.example`, { by });
  const get = (path: string) => fixture.call(`GET ${base}/${path}`, { by });
  const post = (path: string, body: object) => fixture.call(`POST ${base}/${path}`, { by, body });
  return { ...fixture, by, first, second, other, host, get, post };
}

test('the cluster of a domain is what shares its most specific value in the list', async () => {
  const { get, first, second, host } = await withDomains();
  const { status, json } = await get(`cluster/?id=${first}&list=new`);
  assert.equal(status, 200);
  assert.deepEqual(json, {
    shared: { attribute: 'name_server', value: host },
    watchlist_domain_ids: [first, second],
  });
});

test('a domain that shares nothing is alone in its cluster', async () => {
  const { get, other } = await withDomains();
  const { json } = await get(`cluster/?id=${other}&list=new`);
  assert.deepEqual(json, { shared: null, watchlist_domain_ids: [other] });
});

test('a list that there is not is refused with 400 and names the field', async () => {
  const { get, first } = await withDomains();
  const { status, text } = await get(`cluster/?id=${first}&list=everything`);
  assert.equal(status, 400);
  assert.match(text, /list: must be one of/);
});

test('a note is added and listed, newest first', async () => {
  const { get, post, first, by, server } = await withDomains();
  for (const text of ['one', ' two ']) {
    assert.equal((await post('notes/', { id: first, text })).status, 200);
    server.clock.set(new Date(server.clock.now() + 1000).toISOString());
  }
  const { json } = await get(`notes/?id=${first}`);
  assert.deepEqual(
    json.notes.map((note: { text: string; created_by: string }) => [note.text, note.created_by]),
    [
      ['two', by.username],
      ['one', by.username],
    ],
  );
  assert.equal(json.assignee, null);
});

test('a blank note is refused with 400 and names the field', async () => {
  const { post, first } = await withDomains();
  const { status, text } = await post('notes/', { id: first, text: '   ' });
  assert.equal(status, 400);
  assert.match(text, /text/);
});

test('nobody outside the account can be assigned, and nobody at all is always possible', async () => {
  const { post, first } = await withDomains();
  const refused = await post('assignee/', { id: first, person: 'somebody-else' });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /person/);
  const { status, json } = await post('assignee/', { id: first });
  assert.deepEqual([status, json], [200, { assignee: null }]);
});

test('a domain of another account is unknown to all of them', async () => {
  const { first } = await withDomains();
  const { get, post } = await withDomains();
  for (const answer of [
    await get(`cluster/?id=${first}&list=new`),
    await get(`notes/?id=${first}`),
    await post('notes/', { id: first, text: 'mine' }),
    await post('assignee/', { id: first }),
  ])
    assert.equal(answer.status, 404);
});
