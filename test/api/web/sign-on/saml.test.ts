/** Single sign-on by SAML 2.0, against a provider of another implementation, and what attackers send. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  type SamlAssertion,
  type SamlProvider,
  samlProvider,
} from '../../../harness/identity/saml-provider.ts';
import { type SignOnBrowser, signOnBrowser } from '../../../harness/identity/sign-on-browser.ts';
import { wrappedResponses } from '../../../harness/identity/signature-wrapping.ts';
import { testServer } from '../../../harness/server/test-server.ts';
import { webCall, webSession } from '../../../harness/server/web-session.ts';
import { TestClock } from '../../../harness/test-clock.ts';

const server = await testServer({ after }, { clock: new TestClock(new Date().toISOString()) });
const idp = await samlProvider();
const admin = await webSession(server, { permissions: ['admin'] });

const mapping = {
  rules: [{ claim: 'groups', value: 'analysts', permissions: ['read', 'triage'] }],
  otherwise: ['read'],
  creates_people: true,
  name_claim: 'uid',
  email_domains: [],
};
const made = await admin.call('POST /identity-providers', {
  body: { name: 'Corp SAML', saml: { metadata: idp.metadata }, enabled: true, mapping },
});
assert.equal(made.status, 201, made.text);
const base = `/ui/auth/saml/${made.json.id}`;
const metadata = await server.call(`GET ${base}/metadata`, { headers: { host: '127.0.0.1:8080' } });
const spMetadata = metadata.text;

interface Attempt {
  readonly browser: SignOnBrowser;
  readonly inResponseTo: string;
  readonly relayState: string;
}

async function begin(query = ''): Promise<Attempt> {
  // The provider writes the time of now, which may be minutes after this file was loaded.
  server.clock.set(new Date().toISOString());
  const browser = signOnBrowser(server);
  const url = await browser.start(`${base}/start${query}`);
  const relayState = new URL(url).searchParams.get('RelayState') ?? '';
  return { browser, inResponseTo: await idp.requestId(url), relayState };
}

const post = ({ browser, relayState }: Attempt, xml: string | Buffer) =>
  browser.post(`${base}/acs`, {
    SAMLResponse: Buffer.from(xml).toString('base64'),
    RelayState: relayState,
  });

const respond = (
  { inResponseTo }: Pick<Attempt, 'inResponseTo'>,
  more: Partial<SamlAssertion> = {},
  from: SamlProvider = idp,
) => from.respond({ spMetadata, inResponseTo, attributes: { uid: ['ann'] }, ...more });

const newestRefusal = async () => {
  const entries = await server.accounts.listAudit({ account: admin.account, limit: 1 });
  return entries[0]?.action === 'identity-provider.refuse' ? String(entries[0].detail['why']) : undefined;
};

/** Refused: nobody is signed in, the browser gets a code alone, and the audit log has the reason. */
async function assertRefused(attempt: Attempt, xml: string | Buffer, why: RegExp, what = ''): Promise<void> {
  server.clock.advanceSeconds(0.001);
  const answer = await post(attempt, xml);
  assert.match(answer.headers['location'] ?? '', /^\/ui\/sign-in\?fault=[a-z-]+$/, what);
  assert.equal(attempt.browser.cookies().has('ng'), false, what);
  assert.match((await newestRefusal()) ?? '', why, what);
}

async function meOf({ browser }: Attempt) {
  const cookie = [...browser.cookies()].map((pair) => pair.join('=')).join('; ');
  return (await webCall(server, 'GET /me', { cookie })).json;
}

test('a signed response signs in, creates the person, and leads to the page that was asked for', async () => {
  const attempt = await begin('?next=%2Fmonitors');
  const answer = await post(
    attempt,
    await respond(attempt, { attributes: { uid: ['ann'], groups: ['analysts'] } }),
  );
  assert.equal(answer.headers['location'], '/ui/monitors');
  const me = await meOf(attempt);
  assert.deepEqual([me.person.name, me.permissions], ['ann', ['read', 'triage']]);
});

test('our metadata names where responses go and that assertions must be signed', () => {
  assert.equal(metadata.headers['content-type'], 'application/samlmetadata+xml; charset=utf-8');
  assert.match(spMetadata, /entityID="http:\/\/127\.0\.0\.1:8080\/ui\/auth\/saml\/\w+\/metadata"/);
  assert.match(spMetadata, /WantAssertionsSigned="true"/);
  assert.match(spMetadata, /Location="http:\/\/127\.0\.0\.1:8080\/ui\/auth\/saml\/\w+\/acs"/);
});

test('every way to wrap a signed response around a forged assertion is refused', async () => {
  const names = new Set<string>();
  const template = await begin();
  const forge = (assertion: string) => assertion.replace(/(<saml:NameID[^>]*>)[^<]*/, '$1admin');
  const count = wrappedResponses(await respond(template), forge).length;
  for (let index = 0; index < count; index += 1) {
    const attempt = await begin();
    const [name, xml] = wrappedResponses(await respond(attempt), forge)[index] ?? ['', ''];
    assert.match(xml, />admin</);
    await assertRefused(attempt, xml, /^the response is refused: it has/, name);
    names.add(name.slice(0, 4));
  }
  assert.equal(names.size, 8);
});

test('a response without a signature, or with that of response or assertion alone, is refused', async () => {
  const unsigned = await begin();
  const bare = (await respond(unsigned)).replaceAll(/<ds:Signature[\s\S]*?<\/ds:Signature>/g, '');
  await assertRefused(unsigned, bare, /no signature of the response/);
  const attempt = await begin();
  await assertRefused(
    attempt,
    await respond(attempt, { signs: 'response' }),
    /no signature of the assertion/,
  );
  const other = await begin();
  await assertRefused(other, await respond(other, { signs: 'assertion' }), /no signature of the response/);
});

test('a response that was changed, or signed with another key, is refused', async () => {
  const changed = await begin();
  const xml = await respond(changed);
  await assertRefused(
    changed,
    xml.replace(/(<saml:NameID[^>]*>)ann/, '$1admin'),
    /Invalid document signature/,
  );
  const stranger = await samlProvider();
  const attempt = await begin();
  await assertRefused(attempt, await respond(attempt, {}, stranger), /Invalid document signature/);
});

test('outdated algorithms are refused', async () => {
  const attempt = await begin();
  const algorithm = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';
  await assertRefused(attempt, await respond(attempt, { algorithm }), /SignatureMethod has the algorithm/);
});

test('a response counts once, and an assertion too', async () => {
  const attempt = await begin();
  const xml = await respond(attempt, { id: '_the-same-assertion' });
  assert.equal((await post(attempt, xml)).headers['location'], '/ui/');
  const replaying = await begin();
  await assertRefused({ ...attempt, browser: replaying.browser }, xml, /answers no request/);
  const reissued = await begin();
  const again = await respond(reissued, { id: '_the-same-assertion' });
  await assertRefused(reissued, again, /it was used before/);
});

test('a response in another browser than the one that has begun signs nobody in', async () => {
  const attempt = await begin();
  const victim = signOnBrowser(server);
  await assertRefused({ ...attempt, browser: victim }, await respond(attempt), /another browser/);
});

test('a RelayState of another request is refused', async () => {
  const [one, other] = [await begin(), await begin()];
  await assertRefused({ ...one, relayState: other.relayState }, await respond(one), /RelayState/);
});

for (const [what, more, why] of [
  ['came too late', { notOnOrAfter: -2 }, /too late|expired|No valid subject confirmation/],
  ['came too early', { notBefore: 3 }, /not yet valid|too early/],
  ['is for another audience', { audience: 'https://other.example' }, /audience/],
  ['is for another destination', { destination: 'https://other.example/acs' }, /another destination/],
  ['is for another recipient', { recipient: 'https://other.example/acs' }, /another recipient/],
  ['comes from another issuer', { issuer: 'https://other.example' }, /another issuer/],
  [
    'names somebody for the moment only',
    { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
    /transient/,
  ],
  ['answers another request inside', { subjectInResponseTo: '_other' }, /InResponseTo/],
] as const) {
  test(`an assertion that ${what} is refused`, async () => {
    const attempt = await begin();
    await assertRefused(attempt, await respond(attempt, more), why);
  });
}

test('the clocks of provider and server may differ by a minute and no more', async () => {
  const near = await begin();
  assert.equal((await post(near, await respond(near, { notBefore: 0.9 }))).headers['location'], '/ui/');
  const attempt = await begin();
  const xml = await respond(attempt, { notOnOrAfter: 5 });
  server.clock.advanceSeconds(6.5 * 60);
  await assertRefused(attempt, xml, /too late/);
  server.clock.advanceSeconds(-6.5 * 60);
});

test('an answer to no request, or to one that is too old, is refused', async () => {
  const attempt = await begin();
  await assertRefused(attempt, await respond({ inResponseTo: '_made-up' }), /answers no request/);
  const slow = await begin();
  const xml = await respond(slow, { notOnOrAfter: 60 });
  server.clock.advanceSeconds(16 * 60);
  await assertRefused(slow, xml, /answers no request/);
  server.clock.advanceSeconds(-16 * 60);
});

test('a comment in a name is refused, and so are document types, entities and processing instructions', async () => {
  const attempt = await begin();
  const xml = await respond(attempt, { nameId: 'admin.evil' });
  await assertRefused(attempt, xml.replace('>admin.evil<', '>admin<!-- -->.evil<'), /comment/);
  await assertRefused(attempt, xml.replace('>admin.evil<', '><![CDATA[admin]]><'), /CDATA/);
  const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n} "${`&a${n || ''};`.repeat(10)}">`).join('')}]>`;
  await assertRefused(attempt, bomb + xml, /document type/);
  await assertRefused(attempt, `<?xml-stylesheet href="x"?>${xml}`, /processing instruction/);
  const external = '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/evil.dtd">';
  await assertRefused(attempt, external + xml, /document type/);
});

test('what is too large, too deep, not XML or not text is refused', async () => {
  const attempt = await begin();
  const xml = await respond(attempt);
  const padded = (text: string) =>
    xml.replace('<samlp:Status>', `<samlp:Extensions>${text}</samlp:Extensions><samlp:Status>`);
  await assertRefused(attempt, padded('x'.repeat(1 << 20)), /longer than/);
  await assertRefused(attempt, padded('x'.repeat(300 << 10)), /longer than/);
  await assertRefused(attempt, padded('<a/>'.repeat(3000)), /too many elements/);
  await assertRefused(attempt, padded(`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`), /too deep/);
  await assertRefused(attempt, '', /base64/);
  await assertRefused(attempt, 'no XML at all', /not a SAML response/);
  await assertRefused(attempt, Buffer.from([0x3c, 0xff, 0xfe]), /UTF-8/);
});

test('a refusal by the provider is said so', async () => {
  const attempt = await begin();
  const xml = (await respond(attempt)).replace(/<saml:Assertion[\s\S]*<\/saml:Assertion>/, '');
  const answer = await post(attempt, xml);
  assert.equal(answer.headers['location'], '/ui/sign-in?fault=provider-refused');
});

test('refusals in the audit log are bounded, so that nobody fills it', async () => {
  const count = async () =>
    (await server.accounts.listAudit({ account: admin.account, limit: 1000 })).filter(
      ({ action }) => action === 'identity-provider.refuse',
    ).length;
  const browser = signOnBrowser(server);
  for (let index = 0; index < 120; index += 1) await browser.post(`${base}/acs`, { SAMLResponse: 'x' });
  assert.ok((await count()) <= 100);
});

test('a request by another site cannot use the routes for anything else: no method, no cookie, no other Host', async () => {
  const headers = { host: 'evil.example', 'content-type': 'application/x-www-form-urlencoded' };
  const foreign = await server.call(`POST ${base}/acs`, { headers, body: 'SAMLResponse=x' });
  assert.match(foreign.text, /Host header/);
  for (const route of [
    `GET ${base}/acs`,
    `POST ${base}/start`,
    `POST ${base}/finish`,
    'GET /ui/auth/',
    'GET /ui/auth/x',
  ])
    assert.equal((await server.call(route, { headers: { host: '127.0.0.1:8080' } })).status, 404, route);
  const answer = await server.call(`GET ${base}/metadata`, { headers: { host: '127.0.0.1:8080' } });
  assert.match(answer.headers['content-security-policy'] ?? '', /default-src 'none'/);
  assert.equal(answer.headers['cache-control'], 'no-store');
});
