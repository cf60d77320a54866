/** The lists for people, one domain, and the log of decisions: beyond the contract. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testServer } from '../../harness/server/test-server.ts';
import { analyst, type Json, worldOf } from './detect-fixture.ts';

/** With the limits of the contract: one list an hour. */
const server = await testServer({ after });

async function watchlist() {
  const world = await worldOf(server);
  const monitor = await world.monitor('acme');
  const ids = await Promise.all(
    ['acme-login.example', 'acme-pay.example', 'acme-shop.test'].map((name) => world.discover(name)),
  );
  return { ...world, monitor, ids };
}

const namesIn = ({ json }: { json: Json }) => json.watchlist_domains.map(({ domain }: Json) => domain).sort();

test('a watchlist may be listed again at once, although its poll is limited to once an hour', async () => {
  const { call } = await watchlist();
  assert.equal((await call('GET /v1/intel-detect/domains/new/')).status, 200);
  assert.equal((await call('GET /v1/intel-detect/domains/new/')).status, 429);
  for (let time = 0; time < 3; time += 1) {
    const answer = await call('GET /v1/intel-detect/watchlist/new/');
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(namesIn(answer), ['acme-login.example', 'acme-pay.example', 'acme-shop.test']);
  }
});

test('a listed watchlist does not use up the poll of the hour', async () => {
  const { call } = await watchlist();
  await call('GET /v1/intel-detect/watchlist/new/');
  await call('GET /v1/intel-detect/monitors/all/');
  assert.equal((await call('GET /v1/intel-detect/domains/new/')).status, 200);
  assert.equal((await call('GET /v1/intel-detect/monitors/')).status, 200);
});

test('the watchlist takes the filters of the polled list', async () => {
  const { call } = await watchlist();
  assert.deepEqual(namesIn(await call('GET /v1/intel-detect/watchlist/new/?tlds[]=test')), [
    'acme-shop.test',
  ]);
  assert.deepEqual(namesIn(await call('GET /v1/intel-detect/watchlist/new/?search=pay')), [
    'acme-pay.example',
  ]);
  assert.equal((await call('GET /v1/intel-detect/watchlist/new/?monitor_id=nosuch')).status, 404);
});

test('pages of a watchlist have no gap and no repeat while domains are triaged', async () => {
  const { call, patch, ids } = await watchlist();
  const first = await call('GET /v1/intel-detect/watchlist/new/?limit=1');
  await patch([ids[0]], 'watched');
  const seen = [...namesIn(first)];
  for (const offset of [1, 2])
    seen.push(...namesIn(await call(`GET /v1/intel-detect/watchlist/new/?limit=1&offset=${offset}`)));
  assert.deepEqual(new Set(seen), new Set(['acme-login.example', 'acme-pay.example', 'acme-shop.test']));
});

test('a watchlist of an unknown state is 404', async () => {
  const { call } = await watchlist();
  assert.equal((await call('GET /v1/intel-detect/watchlist/blocked/')).status, 404);
});

test('a list of a product that the account lacks is 403', async () => {
  const { call, user } = await watchlist();
  const author = { actor: 'operator', atMs: 0 };
  await server.accounts.withdraw(user.caller.account.name, ['intel-detect-ignored-domains'], author);
  assert.equal((await call('GET /v1/intel-detect/watchlist/ignored/')).status, 403);
  assert.equal((await call('GET /v1/intel-detect/watchlist/watched/')).status, 200);
});

test('all monitors may be listed again at once', async () => {
  const { call, monitor } = await watchlist();
  for (let time = 0; time < 2; time += 1) {
    const { status, json } = await call('GET /v1/intel-detect/monitors/all/');
    assert.equal(status, 200);
    assert.deepEqual(
      json.monitors.map(({ id }: Json) => id),
      [monitor.id],
    );
  }
});

test('a domain of the watchlist is found by its name and by its id, whatever its state', async () => {
  const { call, patch, ids } = await watchlist();
  await patch([ids[1]], 'ignored');
  for (const query of ['domain=ACME-pay.example.', `id=${ids[1]}`]) {
    const { status, json } = await call(`GET /v1/intel-detect/domain/?${query}`);
    assert.equal(status, 200, query);
    assert.deepEqual([json.watchlist_domain.id, json.watchlist_domain.state], [ids[1], 'ignored']);
  }
});

test('a domain has the reasons of its score and its screenshot on request alone, and so has a watchlist', async () => {
  const { call } = await watchlist();
  const path = 'GET /v1/intel-detect/domain/?domain=acme-login.example';
  assert.deepEqual(Object.keys((await call(path)).json), ['watchlist_domain']);
  const bytes = Buffer.from('not really a picture');
  const image = { bytes, mimetype: 'image/png', width: 1, height: 1, pixelHash: 'ab' };
  const capture = { domain: 'acme-login.example', url: 'http://acme-login.example', ipAddress: '192.0.2.1' };
  await server.images.saveCapture({ ...capture, atMs: server.clock.now(), image });
  const { json } = await call(`${path}&include_risk_reasons=true&screenshots=true`);
  assert.match(json.watchlist_domain.screenshot.src, /^http/);
  assert.ok(json.risk_reasons.length > 0);
  for (const { reason, points } of json.risk_reasons) {
    assert.ok(reason.length > 0);
    assert.notEqual(points, 0);
  }
  const list = await call('GET /v1/intel-detect/watchlist/new/?screenshots=true&search=login');
  assert.match(list.json.watchlist_domains[0].screenshot.src, /^http/);
});

test('a domain that is not on the watchlist is 404, and so is one of another account', async () => {
  const { call } = await watchlist();
  const other = await watchlist();
  assert.equal((await call('GET /v1/intel-detect/domain/?domain=nosuch.example')).status, 404);
  assert.equal((await call(`GET /v1/intel-detect/domain/?id=${other.ids[0]}`)).status, 404);
});

test('a domain needs a name or an id, and not both', async () => {
  const { call, ids } = await watchlist();
  assert.equal((await call('GET /v1/intel-detect/domain/')).status, 400);
  assert.equal((await call(`GET /v1/intel-detect/domain/?id=${ids[0]}&domain=acme-pay.example`)).status, 400);
});

test('decisions over the API are listed newest first, and those of one user alone on request', async () => {
  const { call, patch, escalate, ids, user } = await watchlist();
  const colleague = await server.user({ account: user.caller.account.name, permissions: analyst });
  await patch([ids[0]], 'ignored');
  server.clock.advanceSeconds(1);
  await escalate([ids[1], ids[2]], 'blocked', colleague);
  const { json } = await call('GET /v1/intel-detect/decisions/');
  assert.deepEqual(
    json.decisions.map((one: Json) => [one.decision, one.domain_count, one.created_by, one.can_undo]),
    [
      ['blocked', 2, colleague.username, true],
      ['ignored', 1, user.username, true],
    ],
  );
  const own = await call(`GET /v1/intel-detect/decisions/?by=${user.username}`);
  assert.deepEqual(
    own.json.decisions.map((one: Json) => one.decision),
    ['ignored'],
  );
});

test('pages of decisions continue with next_before', async () => {
  const { call, patch, ids } = await watchlist();
  await patch([ids[0]], 'ignored');
  await patch([ids[0]], 'watched');
  const first = (await call('GET /v1/intel-detect/decisions/?limit=1')).json;
  assert.equal(first.has_more_results, true);
  const second = (await call(`GET /v1/intel-detect/decisions/?limit=1&before=${first.next_before}`)).json;
  assert.deepEqual(
    [first, second].map(({ decisions }: Json) => decisions[0].decision),
    ['watched', 'ignored'],
  );
});

test('an undone block puts the domains back to new and off the blocklist', async () => {
  const { call, escalate, ids } = await watchlist();
  await escalate(ids, 'blocked');
  const [decision] = (await call('GET /v1/intel-detect/decisions/')).json.decisions;
  const { status, json } = await call('POST /v1/intel-detect/decisions/undo/', {
    body: { decision_id: decision.id },
  });
  assert.equal(status, 200);
  assert.deepEqual(
    json.watchlist_domains.map((one: Json) => one.state),
    ['new', 'new', 'new'],
  );
  const { watchlist_domain } = (await call(`GET /v1/intel-detect/domain/?id=${ids[0]}`)).json;
  assert.deepEqual([watchlist_domain.state, watchlist_domain.escalations], ['new', []]);
});

test('undoing is 409 where somebody has decided since, and skips those domains on request', async () => {
  const { call, patch, ids, user } = await watchlist();
  const colleague = await server.user({ account: user.caller.account.name, permissions: analyst });
  await patch([ids[0], ids[1]], 'ignored');
  const [decision] = (await call('GET /v1/intel-detect/decisions/')).json.decisions;
  await patch([ids[0]], 'watched', colleague);
  const undo = (more: object) =>
    call('POST /v1/intel-detect/decisions/undo/', { body: { decision_id: decision.id, ...more } });
  assert.equal((await undo({})).status, 409);
  const { json } = await undo({ skip_conflicts: true });
  assert.deepEqual(
    json.watchlist_domains.map((one: Json) => one.id),
    [ids[1]],
  );
  assert.deepEqual(
    json.kept.map((one: Json) => one.id),
    [ids[0]],
  );
});

test('a user who may triage but not escalate cannot undo a block', async () => {
  const { call, escalate, ids, user } = await watchlist();
  await escalate(ids, 'blocked');
  const [decision] = (await call('GET /v1/intel-detect/decisions/')).json.decisions;
  const triager = await server.user({ account: user.caller.account.name, permissions: ['triage'] });
  const answer = await call('POST /v1/intel-detect/decisions/undo/', {
    by: triager,
    body: { decision_id: decision.id },
  });
  assert.equal(answer.status, 403);
});

test('a decision of another account is 404', async () => {
  const { call, patch, ids } = await watchlist();
  await patch([ids[0]], 'ignored');
  const [decision] = (await call('GET /v1/intel-detect/decisions/')).json.decisions;
  const other = await watchlist();
  const answer = await other.call('POST /v1/intel-detect/decisions/undo/', {
    body: { decision_id: decision.id },
  });
  assert.equal(answer.status, 404);
});
