/** Precision, suggestions and the answers to them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedInFile } from '../../harness/test-scope.ts';
import { detectFixture, type Json } from './detect-fixture.ts';

const shared = sharedInFile((scope) => detectFixture(scope));
const parked = { nameServers: ['ns1.parking.example', 'ns2.parking.example'] };

/** A new user whose monitor found domains on parked name servers, all of them ignored. */
async function withIgnored(count = 16) {
  const fixture = await shared([]);
  const by = await fixture.server.user({ permissions: ['read', 'triage', 'escalate', 'manage'] });
  const monitor = await fixture.monitor('acmebank', {}, by);
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1)
    ids.push(await fixture.discover(`acmebank${at}.example`, { by, facts: parked }));
  if (count > 0) assert.equal((await fixture.patch(ids, 'ignored', by)).status, 200);
  const call = async (route: string, body?: object): Promise<Json> => {
    const answer = await fixture.call(route, { by, ...(body ? { body } : {}) });
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  const read = () => call('GET /v1/intel-detect/suggestions/');
  const answer = async (outcome: string) =>
    call('POST /v1/intel-detect/suggestions/', {
      suggestion_id: (await read()).suggestions[0].id,
      answer: outcome,
    });
  const exclusions = async () =>
    (await call('GET /v1/intel-detect/monitors/')).monitors[0].nameserver_exclusions;
  return { ...fixture, by, monitor, call, read, answer, exclusions };
}

test('precision is the share of decided domains that are watched', async () => {
  const { call } = await withIgnored(3);
  const {
    precision,
    ignored,
    watched,
    name_servers: servers,
  } = await call('GET /v1/intel-detect/precision/');
  assert.deepEqual([precision, ignored, watched], [0, 3, 0]);
  assert.deepEqual(servers, [
    { value: '*.parking.example', watched: 0, escalated: 0, ignored: 3, precision: 0 },
  ]);
});

test('without decisions there is no precision', async () => {
  const { call } = await withIgnored(0);
  const { precision, monitors } = await call('GET /v1/intel-detect/precision/');
  assert.deepEqual([precision, monitors], [null, []]);
});

test('a suggestion names its monitor, the exclusion and the decisions behind it', async () => {
  const { read, monitor } = await withIgnored();
  const { suggestions } = await read();
  assert.deepEqual(suggestions, [
    {
      id: suggestions[0]?.id,
      monitor_id: monitor.id,
      change: 'exclude-name-servers',
      value: '*.parking.example',
      term: 'acmebank',
      declared_in: null,
      watched: 0,
      escalated: 0,
      ignored: 16,
    },
  ]);
});

test('an accepted suggestion changes its monitor, and taken back it is as before', async () => {
  const { read, answer, exclusions, call } = await withIgnored();
  const accepted = await answer('accepted');
  assert.deepEqual(await exclusions(), ['*.parking.example']);
  assert.deepEqual((await read()).suggestions, []);
  const undone = await call('POST /v1/intel-detect/suggestions/undo/', { answer_id: accepted.id });
  assert.equal(undone.undone_by, undone.created_by);
  assert.deepEqual(await exclusions(), []);
  assert.equal((await read()).suggestions.length, 1);
});

test('a dismissed suggestion changes nothing, is logged, and comes back when it is taken back', async () => {
  const { read, answer, exclusions, call } = await withIgnored();
  const dismissed = await answer('dismissed');
  const { suggestions, answers } = await read();
  assert.deepEqual([suggestions, answers.map(({ id }: Json) => id)], [[], [dismissed.id]]);
  assert.deepEqual(await exclusions(), []);
  await call('POST /v1/intel-detect/suggestions/undo/', { answer_id: dismissed.id });
  assert.equal((await read()).suggestions.length, 1);
});

test('a dismissed suggestion comes back after twice as many decisions', async () => {
  const { read, answer, discover, patch, by } = await withIgnored();
  await answer('dismissed');
  const more: string[] = [];
  for (let at = 16; at < 32; at += 1)
    more.push(await discover(`acmebank${at}.example`, { by, facts: parked }));
  await patch(more.slice(1), 'ignored', by);
  assert.deepEqual((await read()).suggestions, []);
  await patch(more.slice(0, 1), 'ignored', by);
  assert.equal((await read()).suggestions.length, 1);
});

test('an answer that was taken back cannot be taken back again', async () => {
  const { answer, call, by, server } = await withIgnored();
  const { id } = await answer('accepted');
  await call('POST /v1/intel-detect/suggestions/undo/', { answer_id: id });
  const again = await server.call('POST /v1/intel-detect/suggestions/undo/', {
    key: by.key,
    body: { answer_id: id },
  });
  assert.equal(again.status, 409, again.text);
});

test('a suggestion that does not exist is 404', async () => {
  const { server, by } = await withIgnored(0);
  const answer = await server.call('POST /v1/intel-detect/suggestions/', {
    key: by.key,
    body: { suggestion_id: 'nothing', answer: 'accepted' },
  });
  assert.equal(answer.status, 404, answer.text);
});
