import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, test } from 'node:test';
import { unzipSync } from 'fflate';
import { verifyPack } from '../../../src/model/evidence/verify-pack.ts';
import { investigateFixture } from '../investigate/investigate-fixture.ts';

const world = await investigateFixture({ after });
const { server, user } = world;
const { key } = user;
await world.store(
  { 'bank-login.example': { registrar: 'First Registrar', website_title: 'Sign in' } },
  '2026-03-01T00:00:00Z',
);
const rdap = JSON.stringify({
  objectClassName: 'domain',
  ldhName: 'bank-login.example',
  entities: [
    {
      roles: ['registrar'],
      vcardArray: ['vcard', [['fn', {}, 'text', 'First Registrar']]],
      entities: [
        { roles: ['abuse'], vcardArray: ['vcard', [['email', {}, 'text', 'abuse@registrar.example']]] },
      ],
    },
  ],
});
await server.rawAnswers.saveAnswers(
  [
    {
      domain: 'bank-login.example',
      collector: 'rdap',
      kind: 'rdap',
      atMs: Date.parse('2026-03-01T00:00:00Z'),
      asked: 'https://rdap.example/domain/bank-login.example',
      address: '192.0.2.1',
      request: 'GET https://rdap.example/domain/bank-login.example',
      mediaType: 'application/rdap+json',
      bytes: Buffer.from(rdap),
      isTruncated: false,
    },
  ],
  { domainBytesMax: 1e6, totalBytesMax: 1e6 },
);

const make = (body: object) => server.call('POST /v1/evidence/', { key, body });
const download = async (id: string) => (await server.call(`GET /v1/evidence/pack/?id=${id}`, { key })).bytes;
const { response: first } = (
  await make({
    domain: ['hxxps://www[.]bank-login[.]example/x'],
    recipient: 'registrar',
    recipient_name: 'Registrar Ltd',
  })
).json;
const pack = await download(first.id);

test('a pack is made of the registrable domain, is intact, and is signed with the key that the server lists', async () => {
  const { response } = (await server.call('GET /v1/evidence/', { key })).json;
  assert.deepEqual(first.domains, ['bank-login.example']);
  assert.equal(hash('sha256', pack), first.pack.sha256);
  const { isIntact, fingerprint } = await verifyPack(pack, response.key.pem);
  assert.deepEqual([isIntact, fingerprint], [true, response.key.fingerprint]);
});

test('a pack has the raw answers of collectors, and the abuse contacts in those of RDAP', () => {
  const files = unzipSync(pack);
  const path = Object.keys(files).find((name) => name.includes('-rdap-')) ?? '';
  assert.equal(Buffer.from(files[path] ?? []).toString(), rdap);
  const { domains } = JSON.parse(Buffer.from(files['evidence.json'] ?? []).toString());
  assert.deepEqual(domains[0].abuse_contacts, [
    { name: 'First Registrar', emails: ['abuse@registrar.example'], phone: '' },
  ]);
  assert.equal(domains[0].record.website_title, 'Sign in');
});

test('a case has a letter for its recipient, which names domain, checksum and key', () => {
  const { text } = first.letter;
  for (const part of [
    'Dear Registrar Ltd',
    'bank-login.example',
    first.pack.sha256,
    'registrar of these domains',
  ])
    assert.ok(text.includes(part), part);
});

test('what became of a pack is noted, and dates are removed by an empty text', async () => {
  const change = (body: object) =>
    server.call('PATCH /v1/evidence/', { key, body: { id: first.id, ...body } });
  const sent = (await change({ sent: '2026-03-02', outcome: 'suspended' })).json.response;
  assert.deepEqual([sent.sent, sent.outcome, sent.answered], ['2026-03-02T00:00:00.000Z', 'suspended', null]);
  assert.equal((await change({ sent: '' })).json.response.sent, null);
  assert.equal((await change({ sent: 'yesterday' })).status, 400);
});

test('a pack of another account is not found', async () => {
  const stranger = await server.user();
  const { status } = await server.call(`GET /v1/evidence/pack/?id=${first.id}`, { key: stranger.key });
  assert.equal(status, 404);
});

test('a deleted pack is gone', async () => {
  const { id } = (await make({ domain: ['bank-login.example'] })).json.response;
  assert.equal((await server.call(`DELETE /v1/evidence/?id=${id}`, { key })).status, 200);
  assert.equal((await server.call(`GET /v1/evidence/pack/?id=${id}`, { key })).status, 404);
  assert.equal((await server.call(`DELETE /v1/evidence/?id=${id}`, { key })).status, 404);
});

test('no domain, more than 20, and what is no domain are refused', async () => {
  const many = Array.from({ length: 21 }, (_, at) => `n${at}.example`);
  for (const domain of [[], many, ['x..com']]) {
    const { status, json } = await make({ domain });
    assert.equal(status, 400);
    assert.ok(JSON.stringify(json).includes('domain'));
  }
});

test('a case is read alone by its id, and one that does not exist is not found', async () => {
  const { response } = (await server.call(`GET /v1/evidence/?id=${first.id}`, { key })).json;
  assert.deepEqual(
    response.cases.map(({ id }: { id: string }) => id),
    [first.id],
  );
  const missing = await server.call(`GET /v1/evidence/?id=${'0'.repeat(36)}`, { key });
  assert.equal(missing.status, 404);
});

test('raw answers are listed with the probe that fetched them, and their bytes are a file', async () => {
  const path = 'GET /v1/evidence/answers/?domain=www.bank-login.example';
  const { domain, answers } = (await server.call(path, { key })).json.response;
  const { first_seen, last_seen, ...answer } = answers[0];
  assert.equal(domain, 'bank-login.example');
  assert.deepEqual([first_seen, last_seen], ['2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']);
  assert.deepEqual(answer, {
    kind: 'rdap',
    collector: 'rdap',
    asked: 'https://rdap.example/domain/bank-login.example',
    address: '192.0.2.1',
    request: 'GET https://rdap.example/domain/bank-login.example',
    media_type: 'application/rdap+json',
    sha256: hash('sha256', rdap),
    bytes: rdap.length,
    truncated: false,
  });
  const one = `GET /v1/evidence/answer/?domain=bank-login.example&sha256=${answer.sha256}`;
  const { text, headers } = await server.call(one, { key });
  assert.equal(text, rdap);
  assert.equal(headers['content-type'], 'application/octet-stream');
  assert.match(String(headers['content-disposition']), /^attachment/);
});

test('the bytes of an answer about another domain are not found', async () => {
  const path = `GET /v1/evidence/answer/?domain=other.example&sha256=${hash('sha256', rdap)}`;
  assert.equal((await server.call(path, { key })).status, 404);
});
