/** What is verified of a SAML response, in two layers: each alone refuses what is forged. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import type { IdentityProvider } from '../../../../src/model/person/identity-provider.ts';
import { SamlClient } from '../../../../src/product/people/sign-on/saml-client.ts';
import { readSamlMetadata } from '../../../../src/product/people/sign-on/saml-metadata.ts';
import { readSamlText, type SamlText } from '../../../../src/product/people/sign-on/saml-text.ts';
import { signOnUrls } from '../../../../src/product/people/sign-on/sign-on-urls.ts';
import { samlProvider } from '../../../harness/identity/saml-provider.ts';
import { wrappedResponses } from '../../../harness/identity/signature-wrapping.ts';
import { TestClock } from '../../../harness/test-clock.ts';

const idp = await samlProvider();
const provider: IdentityProvider = {
  id: 'saml',
  accountId: 'account',
  name: 'Corp',
  connection: readSamlMetadata(idp.metadata),
  hasClientSecret: false,
  rules: { permissions: [], createsPeople: true, nameClaim: '', emailDomains: [] },
  enabled: true,
  listed: true,
  createdMs: 0,
  changedMs: 0,
};
const urls = signOnUrls(provider, 'https://names.example');
// The library has its own clock, and assertions are made anew here: none is used twice.
const clock = new TestClock(new Date().toISOString());
const client = new SamlClient({ usage: { claim: async () => true }, clock });
after(() => client.close());

const requestId = '_request';
const spMetadata = await client.metadata(provider, urls);
const signed = await idp.respond({ spMetadata, inResponseTo: requestId, attributes: { groups: ['staff'] } });
const verify = (text: SamlText) => client.verify(provider, urls, { text, requestId });
const read = (xml: string) => readSamlText(Buffer.from(xml).toString('base64'));
const forge = (assertion: string) => assertion.replace(/(<saml:NameID[^>]*>)[^<]*/, '$1admin');

test('a response that is signed as it must be gives subject and attributes', async () => {
  const { subject, claims } = await verify(read(signed));
  assert.deepEqual([subject, [...claims]], ['ann', [['groups', ['staff']]]]);
});

test('a wrapped response is refused by the first layer', () => {
  for (const [name, xml] of wrappedResponses(signed, forge))
    assert.throws(() => read(xml), { name: 'SignOnFault', code: 'not-verified' }, name);
});

test('a wrapped response is refused by the second layer alone', async () => {
  for (const [name, xml] of wrappedResponses(signed, forge)) {
    const unchecked = { xml, destination: urls.acs, inResponseTo: requestId };
    await assert.rejects(verify(unchecked), { name: 'SignOnFault', code: 'not-verified' }, name);
  }
});

test('a signed response with a piece removed, repeated, moved or replaced is refused, or says the same as before', async () => {
  const position = fc.nat({ max: signed.length - 1 });
  const piece = fc.constantFrom(
    '<',
    '>',
    '/',
    '"',
    '&#97;',
    'admin',
    '<a/>',
    ' ',
    '\r\n',
    '<saml:NameID>admin</saml:NameID>',
  );
  const changed = fc
    .tuple(position, position, position, piece, fc.nat({ max: 3 }))
    .map(([a, b, to, text, how]) => {
      const [from, end] = [Math.min(a, b), Math.min(Math.max(a, b), Math.min(a, b) + 400)];
      const cut = signed.slice(from, end);
      const rest = signed.slice(0, from) + signed.slice(end);
      if (how === 0) return rest;
      if (how === 1) return signed.slice(0, to) + cut + signed.slice(to);
      if (how === 2) return rest.slice(0, to) + cut + rest.slice(to);
      return signed.slice(0, from) + text + signed.slice(from);
    });
  await fc.assert(
    fc.asyncProperty(changed, async (xml) => {
      const found = await Promise.resolve()
        .then(() => verify(read(xml)))
        .catch((error: unknown) => error);
      if (found instanceof Error) assert.equal(found.name, 'SignOnFault', found.stack);
      else assert.deepEqual(found, { subject: 'ann', claims: new Map([['groups', ['staff']]]) });
    }),
    { numRuns: 100 },
  );
});

test('any text at all is refused in words, never by a crash', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary-ascii' }), fc.stringMatching(/^[<>/a-zA-Z:"=& ]*$/)),
      (text) => {
        assert.throws(() => read(text), { name: 'SignOnFault' });
        assert.throws(() => readSamlText(text), { name: 'SignOnFault' });
      },
    ),
  );
});
