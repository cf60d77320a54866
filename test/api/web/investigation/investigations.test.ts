/** Investigations: content, sharing, conflicts and bounds. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { investigationLimits } from '../../../../src/model/investigation/investigation.ts';
import type { DomainRecord } from '../../../../src/model/record/domain-record.ts';
import { startedStream } from '../../../harness/server/event-stream.ts';
import { testServer } from '../../../harness/server/test-server.ts';
import { sameOrigin, type WebSession, webSession } from '../../../harness/server/web-session.ts';
import { openSocket } from '../../feed/feed-fixture.ts';

const server = await testServer({ after });
const query = { parameters: { ip: ['192.0.2.7'] } };
const seenMs = server.clock.now();

function record(domain: string, more: Partial<DomainRecord> = {}): DomainRecord {
  return { domain, ip: [{ address: '192.0.2.7' }], ...more };
}

async function write(...records: readonly DomainRecord[]) {
  await server.domains.upsert(records.map((one) => ({ record: one, source: 'dns', seenMs })));
}

await write(
  record('a.example', { domain_risk: { risk_score: 90 } } as Partial<DomainRecord>),
  record('b.example', { domain_risk: { risk_score: 71 } } as Partial<DomainRecord>),
);

const analyst = ['read', 'triage'] as const;

async function team() {
  const ann = await webSession(server, { permissions: analyst });
  const { account } = ann;
  const bob = await webSession(server, { account, permissions: analyst });
  const viewer = await webSession(server, { account, permissions: ['read'] });
  const admin = await webSession(server, { account, permissions: ['admin'] });
  return { ann, bob, viewer, admin };
}

async function created(me: WebSession, more: object = {}) {
  const { status, json } = await me.call('POST /investigations', { body: { name: 'Parcel scam', ...more } });
  assert.equal(status, 200, JSON.stringify(json));
  return json as { id: string; version: number; nodes: { id: string }[]; items: { id: string }[] };
}

const ifMatch = (version: number | string) => ({ headers: { 'if-match': `"${version}"` } });

async function versionOf(me: WebSession, id: string): Promise<number> {
  return (await me.call(`GET /investigations/${id}`)).json.version;
}

test('the first save creates a private investigation with the search, counted, and its note', async () => {
  const { ann } = await team();
  const { id } = await created(ann, { node: { query, note: 'from a mail', star: true } });
  const { headers, json } = await ann.call(`GET /investigations/${id}`);
  assert.equal(headers['etag'], '"1"');
  assert.deepEqual(
    [json.name, json.sharing, json.by, json.own, json.searches, json.findings],
    ['Parcel scam', 'private', ann.person.name, true, 1, 0],
  );
  const [node] = json.nodes;
  assert.deepEqual(
    [node.parent_id, node.query, node.note, node.star, node.by, node.own],
    [null, query, 'from a mail', true, ann.person.name, true],
  );
  const count = { domains: 2, average_risk: 80.5, at: new Date(server.clock.now()).toISOString() };
  assert.deepEqual([node.count_then, node.count_now], [count, count]);
});

test('searches form a tree; a search of the query language and several values are kept as written', async () => {
  const { ann } = await team();
  const { id, nodes } = await created(ann, { node: { query } });
  const branch = { ql: 'registrar = "Ember & Ash" OR ip = "192.0.2.7"' };
  const added = await ann.call(`POST /investigations/${id}/nodes`, {
    body: { query: branch, parent_id: nodes[0]?.id },
  });
  assert.equal(added.status, 200, added.text);
  const several = { parameters: { domain: ['a.example', 'b.example'] } };
  await ann.call(`POST /investigations/${id}/nodes`, { body: { query: several } });
  const { json } = await ann.call(`GET /investigations/${id}`);
  assert.deepEqual(
    json.nodes.map((node: { parent_id: string | null; query: unknown; count_then: { domains: number } }) => [
      node.parent_id,
      node.query,
      node.count_then.domains,
    ]),
    [
      [null, query, 2],
      [nodes[0]?.id, branch, 2],
      [null, several, 2],
    ],
  );
  const orphan = await ann.call(`POST /investigations/${id}/nodes`, { body: { query, parent_id: 'gone' } });
  assert.equal(orphan.status, 404);
});

test('a search that Investigate would refuse is refused with its reason, and nothing is saved or charged', async () => {
  const { ann } = await team();
  const before = (await ann.call('GET /investigations')).json.investigations.length;
  const wrong = [
    { parameters: { ip: ['not an address'] } },
    { parameters: { no_such_parameter: ['x'] } },
    { parameters: {} },
    { parameters: { tld: ['example'] } },
    { ql: 'registrar =' },
    { ql: 'x', parameters: {} },
    'ip=192.0.2.7',
  ];
  for (const one of wrong) {
    const { status, json } = await ann.call('POST /investigations', {
      body: { name: 'x', node: { query: one } },
    });
    assert.equal(status, 422, JSON.stringify([one, json]));
    assert.ok(json.error.message.length > 10);
  }
  assert.equal((await ann.call('GET /investigations')).json.investigations.length, before);
});

test('findings are normalised, kept once, and refused where they are not what they claim to be', async () => {
  const { ann } = await team();
  const { id } = await created(ann, { item: { kind: 'domain', value: ' BAD.Example ', note: 'seen' } });
  const items = [
    { kind: 'domain', value: 'bad.example' },
    { kind: 'ip', value: '192.0.2.9' },
    { kind: 'name_server', value: 'NS1.Bad.Example' },
    { kind: 'email', value: 'Mallory@bad.example' },
    { kind: 'certificate', value: 'A'.repeat(40) },
    { kind: 'text', value: 'Ask Carol about the invoice' },
  ];
  const added = await ann.call(`POST /investigations/${id}/items`, { body: { items } });
  assert.equal(added.json.ids.length, 5, added.text);
  const { json } = await ann.call(`GET /investigations/${id}`);
  assert.deepEqual(
    json.items.map(({ kind, value }: { kind: string; value: string }) => `${kind} ${value}`),
    [
      'domain bad.example',
      'ip 192.0.2.9',
      'name_server ns1.bad.example',
      'email mallory@bad.example',
      `certificate ${'a'.repeat(40)}`,
      'text Ask Carol about the invoice',
    ],
  );
  for (const wrong of [
    { kind: 'ip', value: 'example.com' },
    { kind: 'domain', value: 'no domain' },
    { kind: 'certificate', value: 'abc' },
    { kind: 'text', value: ' \n ' },
    { kind: 'text', value: 'two\nlines' },
    { kind: 'else', value: 'x' },
  ]) {
    const { status, json: refusal } = await ann.call(`POST /investigations/${id}/items`, {
      body: { items: [{ kind: 'text', value: 'fine' }, wrong] },
    });
    assert.equal(status, 422, JSON.stringify([wrong, refusal]));
    assert.match(Object.keys(refusal.error.fields)[0] ?? '', /items/);
  }
  const patched = await ann.call(`PATCH /investigations/${id}/items/${json.items[0].id}`, {
    ...ifMatch(json.version),
    body: { note: 'confirmed' },
  });
  assert.equal(patched.status, 200);
  const removed = await ann.call(`DELETE /investigations/${id}/items/${json.items[1].id}`, ifMatch('2'));
  assert.equal(removed.status, 412);
});

test('a private investigation does not exist for others, administrators included', async () => {
  const { ann, bob, admin } = await team();
  const { id, nodes } = await created(ann, { node: { query } });
  const stranger = await webSession(server, { permissions: ['admin'] });
  for (const other of [bob, admin, stranger]) {
    const list = await other.call('GET /investigations');
    assert.deepEqual(list.json.investigations, []);
    for (const [route, body] of [
      [`GET /investigations/${id}`],
      [`GET /investigations/${id}/export`],
      [`PATCH /investigations/${id}`, { name: 'mine' }],
      [`DELETE /investigations/${id}`],
      [`POST /investigations/${id}/nodes`, { query }],
      [`PATCH /investigations/${id}/nodes/${nodes[0]?.id}`, { note: 'x' }],
      [`DELETE /investigations/${id}/nodes/${nodes[0]?.id}`],
      [`POST /investigations/${id}/items`, { items: [{ kind: 'text', value: 'x' }] }],
      [`POST /investigations/${id}/counts`, { ids: [nodes[0]?.id] }],
      [`POST /investigations/${id}/graph`, { ids: [nodes[0]?.id] }],
    ] as const) {
      const { status, json } = await other.call(route, { ...ifMatch(1), ...(body ? { body } : {}) });
      assert.deepEqual([route, status, json.error?.message], [route, 404, 'There is no such investigation.']);
    }
  }
});

test('sharing decides what colleagues may do: view, add and annotate, or remove too', async () => {
  const { ann, bob, viewer, admin } = await team();
  const { id, nodes, items } = await created(ann, {
    node: { query },
    item: { kind: 'text', value: 'first' },
    sharing: 'view',
  });
  const [node, item] = [nodes[0]?.id, items[0]?.id];
  const attempt = async (who: WebSession, route: string, body?: object) =>
    (await who.call(route, { ...ifMatch(await versionOf(ann, id)), ...(body ? { body } : {}) })).status;
  const share = (sharing: string) => attempt(ann, `PATCH /investigations/${id}`, { sharing });
  const adding = (who: WebSession) => attempt(who, `POST /investigations/${id}/nodes`, { query });
  const noting = (who: WebSession, note: string) =>
    attempt(who, `PATCH /investigations/${id}/nodes/${node}`, { note });
  const removing = (who: WebSession) => attempt(who, `DELETE /investigations/${id}/items/${item}`);

  assert.equal((await bob.call(`GET /investigations/${id}`)).status, 200);
  assert.deepEqual([await adding(bob), await noting(bob, 'x'), await removing(bob)], [403, 403, 403]);

  await share('add');
  assert.deepEqual(
    [await adding(bob), await noting(bob, 'bob was here'), await removing(bob)],
    [200, 200, 403],
  );
  const { json } = await bob.call(`GET /investigations/${id}`);
  assert.deepEqual(json.may, { add: true, remove: false, manage: false });
  const own = json.nodes.find((one: { own: boolean }) => one.own).id;
  assert.equal(
    await attempt(bob, `DELETE /investigations/${id}/nodes/${own}`),
    200,
    'what one has added oneself',
  );
  assert.equal(await attempt(bob, `PATCH /investigations/${id}`, { name: 'mine now' }), 403);

  const below = { query, parent_id: node };
  const branch = (await bob.call(`POST /investigations/${id}/nodes`, { body: below })).json.ids[0];
  await ann.call(`POST /investigations/${id}/nodes`, { body: { query, parent_id: branch } });
  assert.equal(
    await attempt(bob, `DELETE /investigations/${id}/nodes/${branch}`),
    403,
    'somebody else has added below it',
  );

  await share('delete');
  assert.deepEqual(
    [await removing(bob), await attempt(bob, `PATCH /investigations/${id}`, { name: 'Parcels' })],
    [200, 200],
  );
  for (const who of [bob, viewer]) {
    assert.equal(await attempt(who, `PATCH /investigations/${id}`, { sharing: 'private' }), 403);
    assert.equal(await attempt(who, `DELETE /investigations/${id}`), 403);
  }
  assert.equal(await adding(viewer), 403);
  const seen = await viewer.call(`GET /investigations/${id}`);
  assert.deepEqual(seen.json.may, { add: false, remove: false, manage: false });
  assert.equal(await attempt(admin, `DELETE /investigations/${id}`), 200);
  assert.equal((await ann.call(`GET /investigations/${id}`)).status, 404);
});

test('a change of an earlier version is answered with 412, what has changed, and by whom', async () => {
  const { ann, bob } = await team();
  const { id, nodes, version } = await created(ann, { node: { query }, sharing: 'add' });
  const node = nodes[0]?.id;
  const route = `PATCH /investigations/${id}/nodes/${node}`;
  const first = await bob.call(route, { ...ifMatch(version), body: { note: 'theirs' } });
  assert.deepEqual([first.status, first.json.version, first.json.ids], [200, 2, [node]]);
  const { status, json } = await ann.call(route, { ...ifMatch(version), body: { note: 'mine' } });
  assert.equal(status, 412);
  const { code, message, ...rest } = json.error;
  assert.deepEqual(
    [code, message],
    ['precondition-failed', `${bob.person.name} changed the investigation in the meantime.`],
  );
  assert.deepEqual(rest, {
    version: 2,
    complete: true,
    changes: [
      {
        version: 2,
        by: bob.person.name,
        at: new Date(server.clock.now()).toISOString(),
        what: 'node-changed',
        ids: [node],
        members: ['note'],
      },
    ],
  });
  assert.equal((await ann.call(`GET /investigations/${id}`)).json.nodes[0].note, 'theirs');
  const again = await ann.call(route, { ...ifMatch(2), body: { note: 'mine' } });
  assert.equal(again.status, 200);
});

test('a change without If-Match is refused, and adding needs none', async () => {
  const { ann } = await team();
  const { id, nodes } = await created(ann, { node: { query } });
  const { status, json } = await ann.call(`PATCH /investigations/${id}/nodes/${nodes[0]?.id}`, {
    body: { star: true },
  });
  assert.deepEqual([status, Object.keys(json.error.fields)], [422, ['If-Match']]);
  const wrong = await ann.call(`DELETE /investigations/${id}`, { headers: { 'if-match': 'W/"x"' } });
  assert.equal(wrong.status, 422);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      ann.call(`POST /investigations/${id}/items`, {
        body: { items: [{ kind: 'text', value: `item ${index}` }] },
      }),
    ),
  );
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]));
  assert.equal((await ann.call(`GET /investigations/${id}`)).json.items.length, 8);
});

test('a count is made again on demand, at most once a minute, and shown to colleagues', async () => {
  const { ann, bob } = await team();
  server.clock.advanceSeconds(3600);
  const ip = { parameters: { ip: ['192.0.2.44'] } };
  const { id, nodes } = await created(ann, { node: { query: ip }, sharing: 'view' });
  const ids = [nodes[0]?.id];
  await write(record('c.example', { ip: [{ address: '192.0.2.44' }] }));
  const count = async () => {
    const { json } = await bob.call(`POST /investigations/${id}/counts`, { body: { ids: [...ids, 'gone'] } });
    return json.counts.map((one: { count_now: { domains: number } }) => one.count_now.domains);
  };
  assert.deepEqual(await count(), [0], 'counted when it was saved, less than a minute ago');
  server.clock.advanceSeconds(61);
  assert.deepEqual(await count(), [1]);
  const [node] = (await ann.call(`GET /investigations/${id}`)).json.nodes;
  assert.deepEqual([node.count_then.domains, node.count_now.domains], [0, 1]);
  assert.equal(await versionOf(ann, id), 1);
});

test('a search by own tags is counted for the person alone', async () => {
  const { ann, bob } = await team();
  const { id, accountId } = {
    id: ann.person.id,
    accountId: (await server.accounts.findAccount(ann.account))?.id ?? '',
  };
  const by = {
    accountId,
    userId: id,
    username: ann.person.name,
    scope: 'own',
    atMs: server.clock.now(),
  } as const;
  await server.domains.changeTags(['a.example'], { add: ['secret'], remove: [] }, by);
  const tagged = { parameters: { domain: ['a.example'], tagged_with_any: ['secret'] } };
  const made = await created(ann, { node: { query: tagged }, sharing: 'view' });
  const body = { ids: [made.nodes[0]?.id] };
  const countOf = async (who: WebSession) =>
    (await who.call(`POST /investigations/${made.id}/counts`, { body })).json.counts[0].count_now.domains;
  assert.deepEqual([await countOf(ann), await countOf(bob)], [1, 0]);
  const [node] = (await bob.call(`GET /investigations/${made.id}`)).json.nodes;
  assert.deepEqual([node.count_then, node.count_now], [null, null]);
});

test('a search can be saved when the limits of Investigate are used up, without a count', async () => {
  const { ann } = await team();
  const grant = { product: 'intel-investigate', perMinute: 1 } as const;
  await server.accounts.provision(ann.account, [grant], { actor: 'operator', atMs: server.clock.now() });
  const first = await created(ann, { node: { query } });
  const other = { parameters: { ip: ['192.0.2.8'] } };
  const { json } = await ann.call('POST /investigations', { body: { name: 'late', node: { query: other } } });
  assert.equal(json.nodes[0].count_then, null);
  const count = (id: string, node: string | undefined) =>
    ann.call(`POST /investigations/${id}/counts`, { body: { ids: [node] } });
  assert.equal((await count(json.id, json.nodes[0].id)).status, 429);
  assert.equal((await count(first.id, first.nodes[0]?.id)).status, 200, 'counted within the minute');
  assert.equal((await ann.call('GET /search?ip=192.0.2.7')).status, 200, 'the same search is charged once');
});

test('names, notes and numbers beyond the bounds are refused with the field', async () => {
  const { ann } = await team();
  const { id, nodes } = await created(ann, { node: { query } });
  const { nameCharacters, noteCharacters, addedItems } = investigationLimits;
  const attempts: readonly (readonly [string, object, string])[] = [
    ['POST /investigations', { name: ' ' }, 'name'],
    ['POST /investigations', { name: 'x'.repeat(nameCharacters + 1) }, 'name'],
    ['POST /investigations', { name: 'x', sharing: 'everybody' }, 'sharing'],
    ['POST /investigations', {}, 'name'],
    [`PATCH /investigations/${id}/nodes/${nodes[0]?.id}`, { note: 'x'.repeat(noteCharacters + 1) }, 'note'],
    [
      `POST /investigations/${id}/items`,
      { items: Array.from({ length: addedItems + 1 }, (_, at) => ({ kind: 'text', value: String(at) })) },
      'items',
    ],
    [`POST /investigations/${id}/items`, { items: [] }, 'items'],
    [`POST /investigations/${id}/nodes`, { query: { ql: 'x'.repeat(70_000) } }, 'query'],
  ];
  for (const [route, body, field] of attempts) {
    const { status, json } = await ann.call(route, { ...ifMatch(1), body });
    assert.deepEqual([route, status, Object.keys(json.error.fields)], [route, 422, [field]]);
  }
  const huge = {
    query: { parameters: { domain: [Array.from({ length: 9000 }, (_, at) => `a${at}.example`).join()] } },
  };
  const { status } = await ann.call(`POST /investigations/${id}/nodes`, { body: huge });
  assert.equal(status, 422);
});

test('colleagues learn of changes while they have the page open, and of private ones nobody', async () => {
  const { ann, bob } = await team();
  const shared = await created(ann, { sharing: 'add' });
  const secret = await created(ann);
  const sent = { host: sameOrigin.host, cookie: bob.cookie };
  const { answer } = await openSocket({ app: server.app, key: '' }, '/ui/api/events', sent);
  const stream = await startedStream(answer);
  const changed = { ...ifMatch(1), body: { note: 'new' } };
  await ann.call(`PATCH /investigations/${secret.id}`, changed);
  await ann.call(`PATCH /investigations/${shared.id}`, changed);
  await stream.until(() => /event: investigation\n/.test(stream.text));
  const events = [...stream.text.matchAll(/^event: investigation\ndata: (.*)$/gm)].map(([, data]) =>
    JSON.parse(data ?? ''),
  );
  assert.deepEqual(
    events.map(({ id, by, version, members }) => [id, by, version, members]),
    [[shared.id, ann.person.name, 2, ['note']]],
  );
  stream.answer.destroy();
});
