import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ParsedRdap, ParsedWhois } from '../../../src/model/record/domain-record.ts';
import { registrationOf, registrationSourceOf } from '../../../src/model/record/registration.ts';

const domain = 'a.example';
const [rdap, whois] = ['parsed_domain_rdap', 'parsed_whois'] as const;

function chosen(parsed_whois: ParsedWhois, parsed_domain_rdap: ParsedRdap) {
  return registrationSourceOf({ domain, parsed_whois, parsed_domain_rdap });
}

test('REC-15 root fields come from the parsed record with more filled fields, however old it is', () => {
  const full = { registrar: 'R', create_date: '2026-01-01', fetched: '2020-01-01T00:00:00.000Z' };
  const bare = { registrar: 'R', fetched: '2026-01-01T00:00:00.000Z' };
  assert.equal(chosen(full, bare), whois);
  assert.equal(chosen(bare, full), rdap);
});

test('REC-15 every member of a contact counts as a field, and an empty one does not', () => {
  const contact = { registrant_contact: { name: 'N', city: 'C' } };
  assert.equal(chosen(contact, { registrar: 'R' }), whois);
  assert.equal(
    chosen({ registrant_contact: { name: '', email: [] }, registrar_status: [] }, { registrar: 'R' }),
    rdap,
  );
});

test('REC-15 the fetch time, the text and members that the root does not show are not filled fields', () => {
  const text = { registrar: 'R', record: 'Registrar: R', fetched: '2026-01-01T00:00:00.000Z' };
  const number = { registrar: 'R', registrar_iana_id: '9999', fetched: '2026-01-02T00:00:00.000Z' };
  assert.equal(chosen(text, number), rdap);
  assert.equal(chosen({ ...text, fetched: '2026-01-03T00:00:00.000Z' }, number), whois);
});

test('REC-15 of two with equally many filled fields the newer is chosen', () => {
  const [older, newer] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z'];
  assert.equal(chosen({ registrar: 'W', fetched: newer }, { registrar: 'R', fetched: older }), whois);
  assert.equal(chosen({ registrar: 'W', fetched: older }, { registrar: 'R', fetched: newer }), rdap);
  assert.equal(chosen({ registrar: 'W', fetched: older }, { registrar: 'R' }), whois);
});

test('REC-16 with equally many filled fields of the same time the root fields come from RDAP', () => {
  const fetched = '2026-01-01T00:00:00.000Z';
  assert.equal(chosen({ registrar: 'W', fetched }, { registrar: 'R', fetched }), rdap);
  assert.equal(chosen({ registrar: 'W' }, { registrar: 'R' }), rdap);
});

test('the other record does not fill gaps of the chosen one', () => {
  const parsed_whois = { registrar: 'W', create_date: '2026-01-01', registrant_org: 'O' };
  const parsed_domain_rdap = { registrar: 'R', expiration_date: '2027-01-01' };
  assert.deepEqual(registrationOf({ domain, parsed_whois, parsed_domain_rdap }), {
    create_date: '2026-01-01',
    registrant_org: 'O',
    registrar: 'W',
  });
});

test('name and organization of the registrant come from the contact where the record has them only there', () => {
  const parsed_domain_rdap = { registrant_contact: { name: 'N', org: 'O' } };
  const { registrant_name, registrant_org } = registrationOf({ domain, parsed_domain_rdap });
  assert.deepEqual([registrant_name, registrant_org], ['N', 'O']);
});

test('root fields of the plain record are used only where there is no parsed record', () => {
  const root = { domain, registrar: 'Root', create_date: '2026-01-01' };
  assert.equal(registrationSourceOf(root), 'root');
  assert.deepEqual(registrationOf(root), { create_date: '2026-01-01', registrar: 'Root' });
  assert.deepEqual(registrationOf({ ...root, parsed_whois: { registrar: 'W' } }), { registrar: 'W' });
});
