/** What an error says to a person who has to correct the request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyPermission } from '../../harness/server/every-operation.ts';
import { queryOf, signed } from '../../harness/server/request-signature.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import type { CallOptions, TestServer } from '../../harness/server/test-server.ts';

const sharedServer = sharedServers();

async function serverWithUser(settings: Readonly<Record<string, string>> = {}) {
  const server = await sharedServer({ settings });
  const user = await server.user({ permissions: everyPermission });
  const message = (route: string, options: CallOptions = {}) =>
    errorMessage(server, route, { key: user.key, ...options });
  return { server, user, message };
}

async function errorMessage(server: TestServer, route: string, options?: CallOptions): Promise<string> {
  const { status, json, text } = await server.call(route, options);
  assert.ok(status >= 400, `${route} ${status} ${text}`);
  const { message, messages } = json.error as { message?: string; messages?: object };
  return message ?? JSON.stringify(messages);
}

test('a signature by a digest that is switched off is refused with the digest that is accepted', async () => {
  const { server, user } = await serverWithUser();
  const timestamp = new Date(server.clock.now()).toISOString();
  for (const [digest, name] of [
    ['sha1', 'SHA-1'],
    ['md5', 'MD5'],
  ] as const) {
    const query = queryOf(signed(user, timestamp, '/v1/account/', digest));
    const text = await errorMessage(server, `GET /v1/account/?${query}`);
    assert.equal(text, `Signatures by ${name} are not accepted. Sign with HMAC-SHA-256.`);
  }
});

test('a signature that is incomplete or no digest is refused with what it lacks', async () => {
  const { server, user } = await serverWithUser();
  const timestamp = new Date(server.clock.now()).toISOString();
  const { signature, ...others } = signed(user, timestamp, '/v1/account/');
  const call = (parameters: Readonly<Record<string, string>>) =>
    errorMessage(server, `GET /v1/account/?${queryOf(parameters)}`);
  const incomplete = /^A signature needs api_username and timestamp beside it\.$/;
  assert.match(await call({ signature, timestamp }), incomplete);
  assert.match(await call({ signature, api_username: user.username }), incomplete);
  const noDigest = /^The signature must be an HMAC-SHA-256 of 64 hex digits in lower case\.$/;
  assert.match(await call({ ...others, signature: signature.toUpperCase() }), noDigest);
  assert.match(await call({ ...others, signature: signature.slice(1) }), noDigest);
});

test('an Authorization header of another scheme is named as not accepted, and never repeated', async () => {
  const { server, user } = await serverWithUser();
  const call = (authorization: string) =>
    errorMessage(server, 'GET /v1/account/', { headers: { authorization } });
  const text = await call(`Bearer ${user.key}`);
  assert.match(text, /^The Authorization scheme Bearer is not accepted here\. .*X-Api-Key/);
  assert.ok(!text.includes(user.key));
  for (const odd of [user.key, `token=${user.key}`, `${user.key} ${user.key}`]) {
    const other = await call(odd);
    assert.match(other, /^The Authorization header is not accepted in this form\. .*X-Api-Key/);
    assert.ok(!other.includes(user.key));
  }
  assert.match(await errorMessage(server, 'GET /v1/account/'), /^No credentials were sent/);
  const pdns = await server.call('GET /pdns/v2/lookup/rrset/name/a.example', {
    headers: { authorization: `Bearer ${user.key}` },
  });
  assert.match(pdns.text, /the header X-API-Key is missing; Authorization is not read here/);
});

test('PATCH and escalations name the ids that are not on the watchlist', async () => {
  const { message } = await serverWithUser();
  const ids = { watchlist_domain_ids: ['abcdefg', 'hijklmn'] };
  const patched = await message('PATCH /v1/intel-detect/domains/', { body: { ...ids, state: 'watched' } });
  const escalated = await message('POST /v1/intel-detect/escalations/', {
    body: { ...ids, escalation_type: 'blocked' },
  });
  for (const text of [patched, escalated]) assert.match(text, /abcdefg.*hijklmn/);
});

test('an exhausted list limit says when to come back and what does not count', async () => {
  const { server, message } = await serverWithUser();
  for (const list of ['domains/new', 'domains/watched', 'monitors']) {
    const route = `GET /v1/intel-detect/${list}/`;
    const { key } = await server.user();
    assert.equal((await server.call(route, { key })).status, 200);
    server.clock.advanceSeconds(600);
    const text = await message(route, { key });
    assert.match(text, /: 1 per hour\. Try again in 50 minutes\. /, list);
    assert.match(text, /[Ff]ollowing pages .*do not count/, list);
    assert.equal(/preview=true/.test(text), list !== 'monitors', list);
  }
});

test('an exhausted preview limit has the word preview and says when to come back', async () => {
  const { message, server, user } = await serverWithUser({
    'limits.detect.previewRequestsPerMinute': '2',
  });
  const route = 'GET /v1/intel-detect/domains/new/?preview=true';
  for (let count = 0; count < 2; count += 1)
    assert.equal((await server.call(route, { key: user.key })).status, 200);
  server.clock.advanceSeconds(20);
  assert.equal(
    await message(route),
    'The limit of Detect previews is reached: 2 per minute. Try again in 40 seconds.',
  );
  const monitor = { body: { term: 'example' } };
  assert.match(
    await message('POST /v1/intel-detect/monitors/preview/', monitor),
    /^The limit of Detect previews/,
  );
});

test('a limit of another product says when to come back', async () => {
  const { message, server, user } = await serverWithUser({ 'limits.productRequestsPerMinute': '1' });
  const route = 'GET /v1/intel-enrich/?domain=a.example';
  assert.equal((await server.call(route, { key: user.key })).status, 200);
  assert.equal(
    await message(route),
    'The limit of intel-enrich is reached: 1 per minute. Try again in 1 minute.',
  );
});

test('an unknown position or cursor says to leave everything else unchanged or to start again', async () => {
  const { message, server, user } = await serverWithUser();
  const position = await message('GET /v1/intel-investigate/?registrar=x&position=nonsense');
  assert.match(position, /position: .*every other parameter unchanged.*without position/);
  const { text } = await server.call('GET /pdns/v2/lookup/rrset/name/a.example?cursor=nonsense', {
    key: user.key,
  });
  assert.match(text, /cursor: .*path.*unchanged.*without cursor/);
});

test('an unknown component of a parsed record is answered with those that exist', async () => {
  const { message } = await serverWithUser();
  const text = await message('GET /v1/intel-investigate/?parsed_whois:nope=x');
  assert.match(
    text,
    /parsed_whois:nope: is not a component .*registrant_contact\.name.*technical_contact\.email/,
  );
  assert.doesNotMatch(text, /registrar_iana_id/);
  assert.match(await message('GET /v1/intel-investigate/?parsed_domain_rdap:nope=x'), /registrar_iana_id/);
  const body = '#NameglassQL-1.0\nparsed_whois.nope = "x"';
  assert.match(await message('POST /v1/intel-investigate/', { body }), /registrant_contact\.name/);
});

test('a form without its content type is answered with the header to send', async () => {
  const { message } = await serverWithUser();
  const route = 'POST /v1/intel-enrich/';
  const advice =
    /^The body is not valid JSON\. To send a form, add the header Content-Type: application\/x-www-form-urlencoded\.$/;
  assert.match(await message(route, { body: 'domain=a.example' }), advice);
  assert.match(
    await message(route, { body: 'domain=a.example', headers: { 'content-type': 'multipart/form-data' } }),
    advice,
  );
  const json = { 'content-type': 'application/json' };
  assert.equal(await message(route, { body: '{"domain":', headers: json }), 'The body is not valid JSON.');
});

test('a JSON body that is no object is refused as such, on every write', async () => {
  const { message } = await serverWithUser();
  for (const body of ['[]', 'null', '"x"', '5', '[{"domain":"a.example"}]']) {
    for (const route of ['POST /v1/intel-enrich/', 'POST /v1/intel-investigate/'])
      assert.match(await message(route, { body }), /body: must be a JSON object/, `${route} ${body}`);
    for (const route of [
      'PATCH /v1/intel-detect/domains/',
      'POST /v1/intel-detect/escalations/',
      'POST /v1/intel-detect/monitors/',
      'POST /v1/domain-tags/',
      'POST /v1/account/keys/',
    ])
      assert.match(await message(route, { body }), /body.*must be a JSON object/, `${route} ${body}`);
  }
});
