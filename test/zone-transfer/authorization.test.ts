/** Who may transfer which zone, and what the others are answered. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newKey, zoneFixture } from '../harness/fixtures/zone-fixture.ts';
import { textOf, types } from '../harness/network/zone-client.ts';

const [strong, foreign] = [newKey('Strong.Key', 'hmac-sha512'), newKey('foreign')];
const fixture = await zoneFixture({ after }, { keys: [strong, { ...foreign, accounts: ['other'] }] });
await fixture.block('acme.example');
const nowSeconds = fixture.clock.now() / 1000;
const [refused, notAuth, formErr] = [5, 9, 1];
const unsigned = { key: undefined } as const;

test('a key with SHA-512 works as well, and letter case in its name does not matter', async () => {
  for (const key of [strong, { ...strong, name: 'STRONG.key' }]) {
    const { rcode, records } = await fixture.ask({ type: types.axfr, key });
    assert.deepEqual([rcode, records.length], [0, 5]);
  }
});

test('without a key everything is refused, over TCP and UDP, and with nothing in it', async () => {
  for (const type of [types.soa, types.axfr, types.ixfr, types.ns, types.any, types.a]) {
    const answers = [await fixture.ask({ type, ...unsigned }), await fixture.askUdp({ type, ...unsigned })];
    for (const { rcode, records } of answers) assert.deepEqual([rcode, records.length], [refused, 0]);
  }
});

test('an unknown key is answered NOTAUTH with BADKEY, and a wrong secret with BADSIG, neither signed', async () => {
  const unknown = await fixture.ask({ type: types.axfr, key: newKey('nobody') });
  assert.deepEqual([unknown.rcode, unknown.tsigError, unknown.records.length], [notAuth, 17, 0]);
  const algorithm = await fixture.ask({ type: types.axfr, key: { ...strong, algorithm: 'hmac-sha256' } });
  assert.deepEqual([algorithm.rcode, algorithm.tsigError], [notAuth, 17]);
  const wrong = await fixture.ask({ type: types.axfr, key: newKey(fixture.key.name) });
  assert.deepEqual([wrong.rcode, wrong.tsigError, wrong.records.length], [notAuth, 16, 0]);
});

test('a signature that is too old or too new is answered BADTIME, signed, with the time of the server', async () => {
  for (const off of [-301, 301]) {
    const answer = await fixture.ask({ type: types.soa, timeSigned: nowSeconds + off });
    assert.deepEqual([answer.rcode, answer.tsigError, answer.records.length], [notAuth, 18, 0]);
    const other = answer.raw[0]?.subarray(-6);
    assert.equal(other?.readUIntBE(0, 6), nowSeconds);
  }
  for (const off of [-300, 300])
    assert.equal((await fixture.ask({ type: types.soa, timeSigned: nowSeconds + off })).rcode, 0);
});

test('truncated signatures are refused: BADTRUNC if they are right, FORMERR if they are too short to be', async () => {
  const short = await fixture.ask({ type: types.axfr, macBytes: 16 });
  assert.deepEqual([short.rcode, short.tsigError, short.records.length], [notAuth, 22, 0]);
  const tooShort = await fixture.ask({ type: types.axfr, macBytes: 8 });
  assert.deepEqual([tooShort.rcode, tooShort.records.length], [formErr, 0]);
});

test('a key reads the zones of its accounts alone, and cannot find out which others there are', async () => {
  const [known, unknown] = [
    await fixture.ask({ type: types.axfr, key: foreign }),
    await fixture.ask({ type: types.axfr, key: foreign, zone: 'blocked.nobody.rpz' }),
  ];
  assert.deepEqual([known.rcode, unknown.rcode, known.tsigError], [refused, refused, 0]);
});

test('all but SOA, AXFR and IXFR of a zone in class IN is refused with a key too', async () => {
  const questions = [
    { type: types.ns },
    { type: types.any },
    { type: types.a, zone: `acme.example.${fixture.zone}` },
    { type: types.soa, zone: `x.${fixture.zone}` },
    { type: types.soa, zone: 'rpz' },
    { type: types.soa, zone: '' },
    { type: types.soa, class: 3 },
    { type: types.soa, flags: 4 << 11 },
    { type: types.soa, flags: 5 << 11 },
  ];
  for (const question of questions) {
    const { rcode, records } = await fixture.ask(question);
    assert.deepEqual([rcode, records.length], [refused, 0], JSON.stringify(question));
  }
});

test('over UDP there is the SOA, which is also the answer to IXFR, and no AXFR', async () => {
  const soa = [`${fixture.zone}. SOA ${nowSeconds}`];
  assert.deepEqual((await fixture.askUdp({ type: types.soa })).records.map(textOf), soa);
  assert.deepEqual((await fixture.askUdp({ type: types.ixfr, serial: 1 })).records.map(textOf), soa);
  assert.equal((await fixture.askUdp({ type: types.axfr })).rcode, refused);
});

test('EDNS is answered with EDNS, and a later version of it with BADVERS', async () => {
  const answer = await fixture.ask({ type: types.axfr, edns: 0 });
  assert.deepEqual([answer.rcode, answer.messages[0]?.records.some(({ type }) => type === 41)], [0, true]);
  assert.equal((await fixture.ask({ type: types.soa, edns: 1 })).rcode, 16);
});

test('the zone of an account that is inactive is refused', async (t) => {
  const other = await zoneFixture(t);
  const { account } =
    (await other.stores.accounts.listUsers({ accountId: other.accountId, limit: 1 }))[0] ?? {};
  assert.ok(account);
  assert.equal((await other.axfr()).rcode, 0);
  const author = { actor: 'operator', atMs: other.clock.now() };
  await other.stores.accounts.setAccountActive(account.name, false, author);
  assert.equal((await other.axfr()).rcode, refused);
});

test('an allowed address needs no key', async (t) => {
  const open = await zoneFixture(t, { settings: { 'rpz.allow': '192.0.2.0/24,127.0.0.0/8' } });
  assert.equal((await open.ask({ type: types.axfr, ...unsigned })).rcode, 0);
  assert.equal((await open.askUdp({ type: types.soa, ...unsigned })).records.length, 1);
});
