/**
 * Property tests: whatever mix of valid and malformed credentials a request carries, a wrong key never authenticates
 * and never causes a server error.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { echoOperations } from '../../harness/server/echo-operations.ts';
import {
  everyOperation,
  everyPermission,
  hasBody,
  methodOf,
  pathOf,
  withoutLimits,
} from '../../harness/server/every-operation.ts';
import { queryOf, signatureOf } from '../../harness/server/request-signature.ts';
import { type TestServer, testServer } from '../../harness/server/test-server.ts';
import { sharedInFile } from '../../harness/test-scope.ts';

const now = '2026-03-04T10:11:12Z';
const holder = { username: 'holder', key: 'right-key-of-holder' };

const hostileServer = sharedInFile<void, TestServer>(async (scope) => {
  const server = await testServer(scope, { operations: echoOperations, settings: withoutLimits });
  await server.user({ ...holder, permissions: everyPermission });
  return server;
});

type Place = 'query' | 'body';
type Carrier = 'form' | 'json';

interface Hostile {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly body: readonly (readonly [string, string])[];
  readonly carrier: Carrier;
}

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('', ' ', '\u0000', '%', '%zz'),
);
const headerText = fc.stringMatching(/^[\x20-\x7e]{0,40}$/);
const usernames = fc.oneof(fc.constantFrom(holder.username, 'HOLDER', 'nobody', '__proto__'), anyText);
const wrongKeys = fc
  .oneof(
    anyText,
    fc.constantFrom('constructor', `${holder.key} `, holder.key.toUpperCase(), holder.key.slice(1)),
  )
  .filter((key) => key !== holder.key);
const wrongSignatures = fc.oneof(
  anyText,
  fc.stringMatching(/^[0-9a-f]{64}$/),
  fc.stringMatching(/^[0-9a-f]{40}$/),
  fc.constant(signatureOf({ ...holder, key: 'wrong' }, now, '/v1/account/')),
);
const timestamps = fc.oneof(
  fc.constantFrom(now, '2026-03-04T02:11:12-0800', '0000-00-00T00:00:00Z'),
  anyText,
);

const encoded = (text: string) => Buffer.from(text).toString('base64');
const authorization = fc.oneof(
  headerText.filter((text) => !text.includes(encoded(`${holder.username}:${holder.key}`))),
  fc.tuple(usernames, wrongKeys).map(([username, key]) => `Basic ${encoded(`${username}:${key}`)}`),
  headerText.map((text) => `Basic ${text}`),
);

const parameter = fc.oneof(
  fc.tuple(fc.constantFrom('api_username', 'api_username[]'), usernames),
  fc.tuple(fc.constantFrom('api_key', 'api_key[]', 'api_key[1]', 'API_KEY'), wrongKeys),
  fc.tuple(fc.constant('timestamp'), timestamps),
  fc.tuple(fc.constantFrom('signature', 'signature[]'), wrongSignatures),
  fc.tuple(fc.constantFrom('format', 'limit', 'mx_exists', 'term'), anyText),
);
const parameters = fc.array(parameter, { maxLength: 6 });

const wrong: fc.Arbitrary<Hostile> = fc.record({
  id: fc.constantFrom(...everyOperation),
  headers: fc.record({ 'x-api-key': headerText, authorization, cookie: headerText }, { requiredKeys: [] }),
  query: parameters,
  body: parameters,
  carrier: fc.constantFrom<Carrier>('form', 'json'),
});

function send(server: TestServer, { id, headers, query, body, carrier }: Hostile) {
  const pairs = (list: Hostile[Place]) =>
    new URLSearchParams(list.map(([name, value]): [string, string] => [name, value])).toString();
  const type = carrier === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  const text = carrier === 'form' ? pairs(body) : JSON.stringify(Object.fromEntries(body));
  const sent = hasBody(id) ? { body: text, headers: { ...headers, 'content-type': type } } : { headers };
  return server.call(`${methodOf(id)} ${pathOf(id)}?${pairs(query)}`, sent);
}

test('AUTH-02 AUTH-34 any combination of wrong credentials returns 401, or 403 on account', async () => {
  const server = await hostileServer();
  await fc.assert(
    fc.asyncProperty(wrong, async (hostile) => {
      const answer = await send(server, hostile);
      const expected = hostile.id === 'getAccountInfo' ? 403 : 401;
      assert.deepEqual([answer.status, answer.json.error.code], [expected, expected]);
    }),
    { numRuns: propertyRuns(300) },
  );
});

test('AUTH-19 a valid signature wins over any combination of other wrong credentials', async () => {
  const server = await hostileServer();
  let made = 0;
  const others = wrong.map(({ headers }) => headers);
  await fc.assert(
    fc.asyncProperty(others, wrongKeys, async (headers, api_key) => {
      made += 1;
      const timestamp = new Date(Date.parse(now) + made).toISOString();
      const signature = signatureOf(holder, timestamp, '/v1/account/');
      const signed = { api_username: holder.username, timestamp, signature };
      const query = new URLSearchParams({ ...signed, api_key }).toString();
      const answer = await server.call(`GET /v1/account/?${query}`, { headers });
      assert.equal(answer.status, 200);
      assert.equal(answer.json.response.account.api_username, holder.username);
    }),
    { numRuns: propertyRuns(80) },
  );
});

test('AUTH-19 a valid key of lower precedence does not rescue an invalid one of higher precedence', async () => {
  const server = await hostileServer();
  const right = {
    header: { 'x-api-key': holder.key },
    basic: { authorization: `Basic ${encoded(`${holder.username}:${holder.key}`)}` },
  };
  const wrongKey = headerText.filter((text) => !['', holder.key].includes(text.trim()));
  await fc.assert(
    fc.asyncProperty(wrongKey, wrongSignatures, fc.boolean(), async (key, signature, signed) => {
      const open = { api_username: holder.username, api_key: holder.key };
      const query = new URLSearchParams(signed ? { ...open, timestamp: now, signature } : open).toString();
      const headers = signed ? { ...right.header, ...right.basic } : { ...right.basic, 'x-api-key': key };
      const answer = await server.call(`GET /v1/intel-enrich/?${query}`, { headers });
      assert.equal(answer.status, 401);
    }),
    { numRuns: propertyRuns(100) },
  );
});

test('AUTH-16 a signed request may change only in its other parameters', async () => {
  const server = await hostileServer();
  const path = '/v1/intel-enrich/';
  const right = { api_username: holder.username, timestamp: now, signature: signatureOf(holder, now, path) };
  const change = fc.oneof(
    usernames.map((api_username) => ({ api_username })),
    timestamps.map((timestamp) => ({ timestamp })),
    wrongSignatures.map((signature) => ({ signature })),
  );
  await fc.assert(
    fc.asyncProperty(change, async (changed) => {
      const sent = { ...right, ...changed };
      fc.pre(JSON.stringify(sent) !== JSON.stringify(right));
      assert.equal((await server.call(`GET ${path}?${queryOf(sent)}`)).status, 401);
    }),
    { numRuns: propertyRuns(120) },
  );
  assert.equal((await server.call(`GET ${path}?${queryOf(right)}`)).status, 200);
});
