/** Paths and parameters of the platform API. Responses are tested in `response-formats.test.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { propertyRuns } from '../../harness/property-runs.ts';
import { callOverSocket } from '../../harness/server/call-over-socket.ts';
import { contractWrites, echoedOperations, echoOperations } from '../../harness/server/echo-operations.ts';
import {
  bodyFor,
  everyOperation,
  everyPermission,
  hasBody,
  methodOf,
  pathOf,
  repeatable,
  withoutLimits,
} from '../../harness/server/every-operation.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import type { CallOptions } from '../../harness/server/test-server.ts';

const sharedServer = sharedServers();

const form = { 'content-type': 'application/x-www-form-urlencoded' };

async function probedServer() {
  const server = await sharedServer({ operations: echoOperations, settings: withoutLimits });
  const { key } = await server.user({ permissions: everyPermission });
  const call = (route: string, request?: CallOptions) => server.call(route, request);
  return { ...server, call, key };
}

test('GEN-01 every operation is under /v1/ and is 404 without the version or under /v2/', async () => {
  const { call, key } = await probedServer();
  for (const id of repeatable) {
    const path = pathOf(id);
    const request = { key, ...bodyFor(id) };
    assert.equal((await call(`${methodOf(id)} ${path}`, request)).status, 200, id);
    for (const wrong of [path.replace('/v1/', '/'), path.replace('/v1/', '/v2/')]) {
      assert.equal((await call(`${methodOf(id)} ${wrong}`, request)).status, 404, `${id} ${wrong}`);
    }
  }
});

test('GEN-02 every operation responds identically with and without its trailing slash and never redirects', async () => {
  const { call, key } = await probedServer();
  for (const id of repeatable) {
    const path = pathOf(id);
    assert.ok(path.endsWith('/'));
    const slash = await call(`${methodOf(id)} ${path}`, { key, ...bodyFor(id) });
    const none = await call(`${methodOf(id)} ${path.slice(0, -1)}`, { key, ...bodyFor(id) });
    assert.deepEqual([slash.status, none.status], [200, 200], id);
    assert.equal(none.headers['location'], undefined);
    if (echoedOperations.includes(id)) assert.equal(none.text, slash.text);
  }
});

test('GEN-02 an error is the same with and without the trailing slash', async () => {
  const { call } = await probedServer();
  for (const id of everyOperation) {
    const path = pathOf(id);
    const slash = await call(`${methodOf(id)} ${path}`, bodyFor(id));
    const none = await call(`${methodOf(id)} ${path.slice(0, -1)}`, bodyFor(id));
    assert.equal(none.status, id === 'getAccountInfo' ? 403 : 401, id);
    assert.deepEqual([none.status, none.text], [slash.status, slash.text], id);
  }
});

test('GEN-03 repeated slashes in the path of any operation are collapsed', async () => {
  const { call, key } = await probedServer();
  for (const id of repeatable) {
    const path = pathOf(id);
    for (const written of [`/${path}`, path.replaceAll('/', '//'), path.replace('/v1/', '/v1////')]) {
      const answer = await call(`${methodOf(id)} ${written}?domain=a//b`, { key, ...bodyFor(id) });
      assert.equal(answer.status, 200, `${id} ${written}`);
      if (!echoedOperations.includes(id)) continue;
      assert.equal(answer.json.operation, id);
      assert.equal(answer.json.received.domain, 'a//b', 'slashes of the query stay');
    }
  }
});

test('GEN-03 //v1/feed/nod/ on the request line is answered like /v1/feed/nod/', async () => {
  const server = await probedServer();
  const plain = await callOverSocket(server, '/v1/feed/nod/', { 'X-Api-Key': server.key });
  const doubled = await callOverSocket(server, '//v1/feed/nod/', { 'X-Api-Key': server.key });
  assert.equal(plain.status, 200);
  assert.deepEqual(doubled, plain);
});

test('GEN-04 a GET reads its parameters from the query string', async () => {
  const { call, key } = await probedServer();
  for (const id of echoedOperations.filter((one) => methodOf(one) === 'GET')) {
    const answer = await call(`GET ${pathOf(id)}?domain=acme.example&limit=7`, { key });
    assert.deepEqual(answer.json, { operation: id, received: { domain: 'acme.example', limit: 7 } });
  }
});

test('GEN-04 a Detect write reads its parameters from the members of a JSON body', async () => {
  const { call, key } = await probedServer();
  for (const id of contractWrites) {
    const body = { term: 'acme', tlds: ['com', 'net'], mx_exists: false, limit: 7 };
    const answer = await call(`${methodOf(id)} ${pathOf(id)}`, { key, body });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json, { operation: id, received: body });
  }
});

test('GEN-05 POST Investigate with everything in the query and an empty body works', async () => {
  const server = await probedServer();
  const user = await server.user();
  const query = `domain=acme.example&api_username=${user.username}&api_key=${user.key}`;
  for (const headers of [{}, form, { 'content-type': 'application/json' }]) {
    const answer = await server.call(`POST /v1/intel-investigate/?${query}`, { headers, body: '' });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json.received, { domain: 'acme.example' });
  }
});

test('GEN-05 an operation with a body accepts parameters from query, form and JSON', async () => {
  const { call, key } = await probedServer();
  const text = 'term=acme&tlds[]=com&tlds[]=net&mx_exists=1&limit=7';
  const member = { term: 'acme', tlds: ['com', 'net'], mx_exists: true, limit: 7 };
  for (const id of echoedOperations.filter(hasBody)) {
    const route = `${methodOf(id)} ${pathOf(id)}`;
    const answers = await Promise.all([
      call(`${route}?${text}`, { key }),
      call(route, { key, headers: form, body: text }),
      call(route, { key, body: member }),
    ]);
    const { term, ...others } = member;
    const received = contractWrites.includes(id) ? { term, ...others } : others;
    for (const answer of answers) {
      assert.equal(answer.status, 200, id);
      assert.deepEqual(answer.json.received, received, id);
    }
  }
});

test('GEN-05 parameters may be split between query and body', async () => {
  const { call, key } = await probedServer();
  for (const id of echoedOperations.filter(hasBody)) {
    const route = `${methodOf(id)} ${pathOf(id)}?term=acme&domain=acme.example`;
    const withForm = await call(route, { key, headers: form, body: 'limit=7' });
    const withJson = await call(route, { key, body: { limit: 7 } });
    for (const answer of [withForm, withJson]) {
      assert.equal(answer.status, 200, id);
      assert.deepEqual([answer.json.received.domain, answer.json.received.limit], ['acme.example', 7], id);
    }
  }
});

test('GEN-06 the parameters that name the calling application are ignored on every operation', async () => {
  const { call, key } = await probedServer();
  for (const id of repeatable) {
    const route = `${methodOf(id)} ${pathOf(id)}`;
    const plain = await call(route, { key, ...bodyFor(id) });
    const body = hasBody(id) ? { body: { term: 'acme', app_partner: 1, app_name: null } } : {};
    const named = await call(`${route}?app_partner=&app_name=${'n'.repeat(300)}&app_version=1`, {
      key,
      ...body,
    });
    assert.equal(named.status, 200, id);
    if (echoedOperations.includes(id)) assert.equal(named.text, plain.text);
  }
});

/** Parameter names that operations and authentication read, without brackets. */
const known = new Set(
  'domain tlds escalation_types mx_exists limit order ad_tracker_code term state format api_username api_key timestamp signature'.split(
    ' ',
  ),
);
const unknownName = fc
  .oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom('__proto__', 'constructor', 'toString', 'ignored_since'),
  )
  .filter((name) => !known.has(name.replace(/\[\d*\]$/, '')));

test('GEN-06 no unknown parameter or body member changes a response', async () => {
  const { call, key } = await probedServer();
  const ids = fc.constantFrom(...echoedOperations);
  await fc.assert(
    fc.asyncProperty(ids, unknownName, fc.string(), fc.jsonValue(), async (id, name, text, value) => {
      const route = `${methodOf(id)} ${pathOf(id)}`;
      const members = `{"term":"acme",${JSON.stringify(name)}:${JSON.stringify(value)}}`;
      const body = hasBody(id)
        ? { body: members, headers: { 'content-type': 'application/json' } }
        : undefined;
      const plain = await call(route, { key, ...bodyFor(id) });
      const odd = await call(`${route}?${new URLSearchParams([[name, text]]).toString()}`, { key, ...body });
      assert.deepEqual([odd.status, odd.text], [200, plain.text]);
    }),
    { numRuns: propertyRuns(80) },
  );
});

test('GEN-07 a list is accepted as the repeated name with brackets', async () => {
  const { call, key } = await probedServer();
  for (const id of echoedOperations) {
    const query = 'escalation_types[]=blocked&escalation_types[]=external_safe&term=acme';
    const answer = await call(`${methodOf(id)} ${pathOf(id)}?${query}`, { key });
    assert.deepEqual(answer.json.received.escalation_types, ['blocked', 'external_safe'], id);
  }
});

test('GEN-07 an unknown value in a list is refused on reads with 400', async () => {
  const { call, key } = await probedServer();
  for (const id of echoedOperations.filter((one) => methodOf(one) === 'GET')) {
    const answer = await call(`GET ${pathOf(id)}?escalation_types[]=blocked&escalation_types[]=other`, {
      key,
    });
    assert.deepEqual([answer.status, answer.json.error.code], [400, 400], id);
  }
});

test('GEN-08 a list is accepted as the repeated name without brackets and as a single value', async () => {
  const { call, key } = await probedServer();
  for (const id of echoedOperations) {
    const route = `${methodOf(id)} ${pathOf(id)}?term=acme&`;
    const repeated = await call(`${route}tlds=com&tlds=net`, { key });
    assert.deepEqual(repeated.json.received.tlds, ['com', 'net'], id);
    const single = await call(`${route}tlds=com`, { key });
    assert.deepEqual(single.json.received.tlds, ['com'], id);
  }
});

test('GEN-09 a boolean accepts true, false, 1 and 0', async () => {
  const { call, key } = await probedServer();
  for (const id of echoedOperations) {
    for (const [text, value] of Object.entries({ true: true, '1': true, false: false, '0': false })) {
      const answer = await call(`${methodOf(id)} ${pathOf(id)}?term=acme&mx_exists=${text}`, { key });
      assert.equal(answer.json.received.mx_exists, value, `${id} ${text}`);
    }
  }
});

const noBooleans = ['', 'TRUE', 'True', 'yes', 'no', '2', '-1', '01', 'null', ' true', 'true,false'];

test('GEN-09 any other value for a boolean is refused with 400 on every read', async () => {
  const { call, key } = await probedServer();
  for (const id of echoedOperations.filter((one) => !hasBody(one))) {
    for (const text of noBooleans) {
      const answer = await call(`${methodOf(id)} ${pathOf(id)}?mx_exists=${encodeURIComponent(text)}`, {
        key,
      });
      assert.deepEqual([answer.status, answer.json.error.code], [400, 400], `${id} ${text}`);
      assert.match(answer.json.error.message, /mx_exists/);
    }
  }
});

test('GEN-09 any other value for a boolean is refused with 400 in query and form of every write', async () => {
  const { call, key } = await probedServer();
  for (const id of echoedOperations.filter(hasBody)) {
    const route = `${methodOf(id)} ${pathOf(id)}`;
    const inQuery = await call(`${route}?term=acme&mx_exists=yes`, { key });
    const inForm = await call(route, { key, headers: form, body: 'term=acme&mx_exists=yes' });
    assert.deepEqual([inQuery.status, inForm.status], [400, 400], id);
  }
});

test('GEN-10 a GET with the JSON body {} is answered as if it had none', async () => {
  const { call, key } = await probedServer();
  for (const id of repeatable.filter((one) => methodOf(one) === 'GET')) {
    const route = `GET ${pathOf(id)}?domain=acme.example`;
    const plain = await call(route, { key });
    const odd = await call(route, { key, body: '{}', headers: { 'content-type': 'application/json' } });
    assert.deepEqual([odd.status, odd.text], [200, plain.text], id);
    assert.equal(odd.headers['content-type'], plain.headers['content-type']);
  }
});
