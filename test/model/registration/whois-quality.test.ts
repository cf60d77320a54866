/** Agreement with two other parsers on real records. The percentages are printed and must not fall. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Contact } from '../../../src/model/record/domain-record.ts';
import { classifyWhois } from '../../../src/model/registration/whois/classify-whois.ts';
import { mergeWhois } from '../../../src/model/registration/whois/merge-whois.ts';
import { parseWhois } from '../../../src/model/registration/whois/parse-whois.ts';
import { readSamples } from './sample-archive.ts';
import { type Expected, type ExpectedContact, expectedOf } from './whois-expectations.ts';

const path = join(import.meta.dirname, '../../../../shared/data/whois/samples-with-parses.tar.gz');
const skip = existsSync(path) ? false : 'skipped: no shared data';
const dayMs = 86_400_000;

/** Percent of the records in which the other parser found a value; each a little below the current result. */
const sharesMin: Readonly<Record<string, number>> = {
  created: 96,
  expires: 98,
  registrar: 96,
  status: 95,
  'registrant.name': 91,
  'registrant.org': 93,
  'registrant.country': 95,
  'registrant.email': 96,
  'registrant.phone': 96,
  'registrant.postal': 90,
  'registrant.city': 75,
  'admin.name': 91,
  'admin.email': 94,
  'technical.name': 96,
  'technical.email': 96,
  'billing.email': 96,
};

class Shares {
  readonly #found = new Map<string, { right: number; all: number }>();

  note(field: string, isRight: boolean): void {
    const share = this.#found.get(field) ?? { right: 0, all: 0 };
    share.all += 1;
    if (isRight) share.right += 1;
    this.#found.set(field, share);
  }

  percents(): ReadonlyMap<string, { percent: number; all: number }> {
    const shares = [...this.#found].map(
      ([field, { right, all }]) => [field, { percent: (100 * right) / all, all }] as const,
    );
    return new Map(shares);
  }
}

const fold = (text = '') =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** One of the two drops the UTC offset. */
function isDay(expected: readonly string[], day = '', file = ''): boolean {
  const farthestMs = file.includes('target_normalized') ? dayMs : 0;
  return expected.some((one) => Math.abs(Date.parse(one) - Date.parse(day)) <= farthestMs);
}

function isRegistrar(expected: readonly string[], registrar = ''): boolean {
  const ours = fold(registrar);
  return expected.some((one) => fold(one) === ours || (ours.length > 3 && fold(one).startsWith(ours)));
}

function isStatus(expected: readonly string[], statuses: readonly string[] = []): boolean {
  const plain = (text: string) =>
    text
      .replace(/[(,].*/s, '')
      .replaceAll(/[. _]/g, '')
      .toLowerCase();
  return expected.some((one) => statuses.includes(plain(one)));
}

function noteContact(role: string, expected: ExpectedContact, contact: Contact = {}, shares: Shares): void {
  const { name, org, country, email, phone, city, postal } = expected;
  // Whether a single name is a person or an organization is ambiguous.
  const names = [fold(contact.name), fold(contact.org)];
  if (name) shares.note(`${role}.name`, names.includes(fold(name)));
  if (org)
    shares.note(
      `${role}.org`,
      org.split('\n').some((one) => names.includes(fold(one))),
    );
  if (country) shares.note(`${role}.country`, contact.country === country);
  if (email) shares.note(`${role}.email`, contact.email?.includes(email) ?? false);
  if (phone) shares.note(`${role}.phone`, phone.replace(/ext.*/, '').replaceAll(/\D/g, '') === contact.phone);
  if (city) shares.note(`${role}.city`, fold(contact.city) === fold(city));
  if (postal) shares.note(`${role}.postal`, fold(contact.postal) === fold(postal));
}

function compare(expected: Expected, shares: Shares): void {
  const found = mergeWhois(expected.answers.map((answer) => parseWhois(answer)));
  const { created, expires, registrars, statuses, file } = expected;
  if (created.length > 0) shares.note('created', isDay(created, found.create_date, file));
  if (expires.length > 0) shares.note('expires', isDay(expires, found.expiration_date, file));
  if (registrars.length > 0) shares.note('registrar', isRegistrar(registrars, found.registrar));
  if (statuses.length > 0) shares.note('status', isStatus(statuses, found.registrar_status));
  noteContact('registrant', expected.registrant, found.registrant_contact, shares);
  noteContact('admin', expected.admin, found.admin_contact, shares);
  noteContact('technical', expected.technical, found.technical_contact, shares);
  noteContact('billing', expected.billing, found.billing_contact, shares);
}

test('real WHOIS records are parsed as by other parsers', { skip }, (t) => {
  const shares = new Shares();
  for (const expected of expectedOf(readSamples(path))) compare(expected, shares);
  const percents = shares.percents();
  for (const [field, { percent, all }] of percents)
    t.diagnostic(`${field}: ${percent.toFixed(1)} % of ${all}`);
  for (const [field, least] of Object.entries(sharesMin)) {
    const { percent = 0 } = percents.get(field) ?? {};
    assert.ok(percent >= least, `${field}: ${percent.toFixed(1)} %`);
  }
});

test('real answers for unregistered domains are distinguished from records', { skip }, (t) => {
  const samples = [...readSamples(path)];
  const nothing = samples.filter(([file]) => file.includes('/notfound/'));
  const records = samples.filter(([file]) => /\/noterror\/[^/]+(?<!\.(?:json|pre|md))$/.test(file));
  const right = nothing.filter(([, body]) => classifyWhois(body.toString('utf8')) === 'no-match').length;
  t.diagnostic(`${right} of ${nothing.length} are recognised`);
  assert.ok(right >= nothing.length * 0.97);
  const lost = records.filter(([, body]) => classifyWhois(body.toString('utf8')) !== 'record');
  assert.deepEqual(
    lost.map(([file]) => file),
    [],
  );
});
