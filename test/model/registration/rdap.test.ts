import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { normaliseRecord } from '../../../src/model/record/normalise.ts';
import { parseJson } from '../../../src/model/registration/rdap/parse-json.ts';
import { rdapRegistration } from '../../../src/model/registration/rdap/rdap-registration.ts';
import { readRdapDomain } from '../../../src/model/registration/rdap/read-rdap-domain.ts';
import { rdapFixtures } from './rdap-fixtures.ts';
import { readSamples } from './sample-archive.ts';

function read(value: unknown) {
  const domain = readRdapDomain(value);
  assert.ok(domain);
  return domain;
}

const parsed = rdapRegistration([read(rdapFixtures.registry), read(rdapFixtures.registrar)]);

test('contacts come from the registrar, dates and registrar from the registry, statuses from both', () => {
  assert.deepEqual(parsed, {
    registrant_contact: {
      name: 'Ann Ash',
      org: 'Oak Leaf Ltd, Woods',
      street: 'Suite 5 1 Grove Road',
      city: 'Beechtown',
      state: 'CA',
      postal: '90001',
      country: 'us',
      phone: '15550100200',
      fax: '15550100201',
      email: ['ann@oak.example.com'],
    },
    admin_contact: parsed.registrant_contact,
    technical_contact: { name: 'Tom Tern', street: '2 Fern Way Fernham', country: 'gb' },
    additional_whois_email: ['abuse@alder.example.com'],
    registrar: 'Alder Names, Inc.',
    create_date: '2019-05-06',
    expiration_date: '2027-05-06',
    registrant_name: 'Ann Ash',
    registrar_status: ['clienttransferprohibited', 'active', 'locked'],
    registrar_iana_id: '9999',
    email_domain: ['example.com'],
  });
});

test('a redacted name is left out', () => {
  const { registrant_contact, registrant_name } = rdapRegistration([read(rdapFixtures.registry)]);
  assert.deepEqual(registrant_contact, { country: 'us' });
  assert.equal(registrant_name, undefined);
});

test('a value that is not a domain object gives nothing', () => {
  for (const value of [null, [], 'domain', {}, { objectClassName: 'nameserver' }, { errorCode: 404 }])
    assert.equal(readRdapDomain(value), undefined);
});

const path = join(import.meta.dirname, '../../../../shared/data/rdap/samples.tar.gz');

test('real RDAP answers are parsed: dates, status, name servers and contacts', {
  skip: existsSync(path) ? false : 'skipped: no shared data',
}, (t) => {
  const shares = new Map<string, { right: number; all: number }>();
  const note = (field: string, isThere: boolean, isRight: boolean) => {
    const share = shares.get(field) ?? { right: 0, all: 0 };
    if (isThere) shares.set(field, { right: share.right + Number(isRight), all: share.all + 1 });
  };
  let domains = 0;
  for (const [, body] of readSamples(path)) {
    const domain = readRdapDomain(parseJson(body));
    if (domain === undefined) continue;
    domains += 1;
    const text = body.toString('utf8');
    const found = rdapRegistration([domain]);
    // The expected values are extracted from the text by other means.
    note('created', /"eventAction"\s*:\s*"registration"/.test(text), found.create_date !== undefined);
    note('expires', /"eventAction"\s*:\s*"expiration"/.test(text), found.expiration_date !== undefined);
    note(
      'registrar',
      /"roles"\s*:\s*\[[^\]]*"registrar"/.test(text) && /"fn"/.test(text),
      found.registrar !== undefined,
    );
    note(
      'status',
      /"ldhName"/.test(text) && domain.statuses.length > 0,
      (found.registrar_status?.length ?? 0) > 0,
    );
    note('name servers', /"nameservers"\s*:\s*\[\s*\{/.test(text), domain.nameservers.length > 0);
    note('IANA number', /"IANA Registrar ID"/.test(text), found.registrar_iana_id !== undefined);
    const normal = normaliseRecord({ domain: 'oak.example', parsed_domain_rdap: found });
    assert.ok('record' in normal, JSON.stringify(normal));
  }
  assert.ok(domains >= 8, `${domains} domain objects`);
  for (const [field, { right, all }] of shares) {
    t.diagnostic(`${field}: ${right} of ${all}`);
    assert.ok(right >= all * 0.9, field);
  }
});
