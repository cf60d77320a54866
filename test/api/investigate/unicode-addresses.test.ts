import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Fields, investigateFixture } from './investigate-fixture.ts';

const world = await investigateFixture({ after });
const [unicode, punycode] = ['info@müller.example', 'info@xn--mller-kva.example'];

/** One domain has the address in punycode, the other in Unicode. */
async function storeBoth(prefix: string, fieldsOf: (address: string) => Fields): Promise<readonly string[]> {
  const names = [`${prefix}-puny.example`, `${prefix}-unicode.example`] as const;
  await world.store({ [names[0]]: fieldsOf(punycode), [names[1]]: fieldsOf(unicode) });
  return names;
}

async function assertFound(parameter: string, expected: readonly string[]): Promise<void> {
  for (const address of [unicode, punycode, 'INFO@MÜLLER.example', 'info@XN--mller-kva.EXAMPLE'])
    assert.deepEqual(
      await world.names({ [parameter]: address, sort_by: 'domain' }),
      expected,
      `${parameter}=${address}`,
    );
}

test('INV-P15 INV-P16 an address is found by its Unicode and its punycode form, in either form in the record', async () => {
  const soa = await storeBoth('soa', (address) => ({ soa_email: [address] }));
  await assertFound('email_dns_soa', soa);
  await assertFound('email', soa);
});

test('INV-P40 the address of a certificate is found by both forms', async () => {
  await assertFound('ssl_email', await storeBoth('ssl', (address) => ({ ssl_email: [address] })));
});

test('INV-P19 INV-29 the address of a registration is found by both forms', async () => {
  const whois = await storeBoth('whois', (address) => ({
    parsed_whois: { registrant_contact: { email: [address] } },
  }));
  await assertFound('historical_email', whois);
  await assertFound('parsed_whois:registrant_contact.email', whois);
  assert.deepEqual(
    await world.namesOfQuery(`parsed_whois:registrant_contact.email = "${unicode}"`, 'sort_by=domain'),
    whois,
  );
});

test('INV-P17 email_domain is found by both forms, and from addresses in both forms', async () => {
  const names = await storeBoth('base', (address) => ({
    soa_email: [address.replace('info@', 'hostmaster@')],
  }));
  for (const domain of ['müller.example', 'MÜLLER.example', 'xn--mller-kva.example']) {
    const found = await world.names({ email_domain: domain, sort_by: 'domain' });
    assert.deepEqual(
      names.filter((name) => !found.includes(name)),
      [],
      domain,
    );
  }
});

test('INV-P52 an address of which the domain is no host name returns 400', async () => {
  for (const address of ['info@mü ller.de', 'info@müller.de/x', '@müller.de', 'info@'])
    assert.match(await world.errorMessage({ email: address }), /email: must be an e-mail address/);
});
