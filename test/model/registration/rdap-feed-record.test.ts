import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RdapAnswer, rdapFeedRecord } from '../../../src/model/registration/rdap/rdap-feed-record.ts';
import { rdapRegistration } from '../../../src/model/registration/rdap/rdap-registration.ts';
import { readRdapDomain } from '../../../src/model/registration/rdap/read-rdap-domain.ts';

const text = (name: string, value: unknown) => [name, {}, 'text', value];

function registrarEntity(name: string, within: object[]): object {
  return {
    objectClassName: 'entity',
    roles: ['registrar'],
    publicIds: [{ type: 'IANA Registrar ID', identifier: '9999' }],
    vcardArray: ['vcard', [text('fn', name)]],
    entities: within,
  };
}

function abuseContact(...properties: unknown[]): object {
  return { objectClassName: 'entity', roles: ['abuse'], vcardArray: ['vcard', properties] };
}

const registry = {
  objectClassName: 'domain',
  ldhName: 'oak.example',
  status: ['active'],
  entities: [
    registrarEntity('Alder Inc.', [
      abuseContact(text('fn', ''), text('email', 'abuse@alder.example'), text('tel', '+1.5550100')),
    ]),
  ],
};

const registrar = {
  objectClassName: 'domain',
  ldhName: 'oak.example',
  status: ['validated', 'active', 'proxy'],
  entities: [
    registrarEntity('ALDER, INC.', [
      abuseContact(
        text('fn', 'Alder Abuse Desk'),
        text('org', 'Alder, Inc.'),
        text('email', 'abuse@alder.example'),
        text('tel', '+1.5550199'),
      ),
    ]),
    {
      objectClassName: 'entity',
      roles: ['registrant'],
      vcardArray: [
        'vcard',
        [
          text('fn', 'Ann Ash'),
          text('adr', ['1 Grove Road', 'Beechtown', 'Oak Region', '101', 'IS']),
          text('email', 'ann@vip.oak.co.uk'),
        ],
      ],
    },
  ],
};

function answer(value: object, source: RdapAnswer['source']): RdapAnswer {
  const domain = readRdapDomain(value);
  assert.ok(domain);
  return { source, url: `https://${source}.example/domain/oak.example`, atMs: 0, text: '{}', domain };
}

const answers = [answer(registry, 'registry'), answer(registrar, 'registrar')] as const;
const fields = rdapFeedRecord('oak.example', answers).parsed_record.parsed_fields;

test('the statuses of all answers are kept, without duplicates', () => {
  assert.deepEqual(fields.domain_statuses, ['validated', 'active', 'proxy']);
  const { registrar_status } = rdapRegistration(answers.map(({ domain }) => domain));
  assert.deepEqual(registrar_status, ['active', 'validated', 'proxy']);
});

test('the registrar and its contacts have name and organization as the registrar itself gives them', () => {
  assert.deepEqual(fields.registrar, {
    name: 'ALDER, INC.',
    iana_id: '9999',
    contacts: [
      {
        email: 'abuse@alder.example',
        phone: '+1.5550199',
        name: 'Alder Abuse Desk',
        org: 'Alder, Inc.',
        roles: ['abuse'],
      },
    ],
  });
});

test('a registrar that does not describe itself is described by the registry', () => {
  const silent = answer({ ...registrar, entities: [registrar.entities[1]] }, 'registrar');
  const parsed = rdapFeedRecord('oak.example', [answers[0], silent]).parsed_record.parsed_fields;
  assert.deepEqual(
    [parsed.registrar.name, parsed.registrar.contacts?.[0]?.email],
    ['Alder Inc.', 'abuse@alder.example'],
  );
});

test('the country of a contact in the feed is written as in the source', () => {
  assert.deepEqual(
    fields.contacts.map(({ city, region, postal, country }) => [city, region, postal, country]),
    [['Beechtown', 'Oak Region', '101', 'IS']],
  );
});

test('email_domains of the feed are whole hosts, and email_domain of the record is their base domain', () => {
  assert.deepEqual(fields.email_domains, ['alder.example', 'vip.oak.co.uk']);
  const { email_domain } = rdapRegistration(answers.map(({ domain }) => domain));
  assert.deepEqual(email_domain, ['alder.example', 'oak.co.uk']);
});
