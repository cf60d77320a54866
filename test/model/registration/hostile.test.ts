/** For any input the parsers return a valid record part, in linear time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { decodeAnswer } from '../../../src/collect/collectors/whois/query-whois.ts';
import { normaliseRecord } from '../../../src/model/record/normalise.ts';
import { parseJson } from '../../../src/model/registration/rdap/parse-json.ts';
import { rdapRegistration } from '../../../src/model/registration/rdap/rdap-registration.ts';
import { readRdapDomain } from '../../../src/model/registration/rdap/read-rdap-domain.ts';
import { classifyWhois } from '../../../src/model/registration/whois/classify-whois.ts';
import { findReferral } from '../../../src/model/registration/whois/find-referral.ts';
import { parseWhois } from '../../../src/model/registration/whois/parse-whois.ts';
import { readEntries } from '../../../src/model/registration/whois/read-entries.ts';
import { storedWhoisText } from '../../../src/model/registration/whois/stored-whois-text.ts';
import { rdapFixtures } from './rdap-fixtures.ts';
import { whoisFixtures } from './whois-fixtures.ts';

function takenByRecord(record: object): void {
  const normal = normaliseRecord({ domain: 'oak.example', ...record });
  assert.ok('record' in normal, JSON.stringify(normal));
}

function readWhois(text: string): void {
  takenByRecord({ parsed_whois: { ...parseWhois(text), record: storedWhoisText([text]) } });
  classifyWhois(text);
  const referral = findReferral(readEntries(text));
  assert.ok(referral === undefined || /^[a-z0-9.-]+$/.test(referral));
}

/** Fragments of records in any order, with arbitrary text in between. */
const pieces = whoisFixtures.flatMap(({ text }) => text.split('\n')).filter((line) => line !== '');
const between = fc.oneof(
  fc.constantFrom('\n', '\n\n', '\r\n', ' ', '\t', ': ', '....: ', '\u001b[2J', '\0', '\ud800'),
  fc.string(),
);

test('any bytes can be parsed as a WHOIS record', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => readWhois(decodeAnswer(Buffer.from(bytes)))),
    { numRuns: 200 },
  );
});

test('fragments of records in any order are parsed', () => {
  const mixed = fc.array(fc.tuple(fc.constantFrom(...pieces), between), { maxLength: 60 });
  fc.assert(
    fc.property(mixed, (parts) => readWhois(parts.flat().join(''))),
    { numRuns: 300 },
  );
});

// A quadratic algorithm would take hours.
test('texts designed to slow down a parser are parsed in linear time', { timeout: 60_000 }, () => {
  const repeated = [
    'a',
    ' ',
    '\r',
    '\n',
    ':',
    '.',
    '(',
    '[',
    '@',
    'a@',
    'a.',
    '1-',
    'registrant: ',
    'Registrant:\n',
    'a:\n',
    ', ',
    '+1 ',
    '\t',
    '\u001b',
  ];
  const texts = [...repeated, ...pieces.slice(0, 20)].map((piece) =>
    piece.repeat(Math.ceil(300_000 / piece.length)),
  );
  for (const text of [...texts, 'x'.repeat(5_000_000), 'registrant name: x\n'.repeat(300_000)])
    readWhois(text);
});

test('any JSON is parsed as an RDAP answer or refused', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const domain = readRdapDomain({ ...Object(parseJson(Buffer.from(text))), objectClassName: 'domain' });
      assert.ok(domain);
      takenByRecord({ parsed_domain_rdap: rdapRegistration([domain]) });
    }),
    { numRuns: 200 },
  );
});

test('RDAP answers with arbitrary replaced members are parsed', () => {
  const { registry } = rdapFixtures;
  const paths = pathsOf(registry);
  const replaced = fc.tuple(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(fc.array(replaced, { minLength: 1, maxLength: 5 }), (changes) => {
      const value: unknown = structuredClone(registry);
      for (const [path, other] of changes) put(value, path, other);
      const domain = readRdapDomain(value);
      if (domain !== undefined) takenByRecord({ parsed_domain_rdap: rdapRegistration([domain, domain]) });
    }),
    { numRuns: 500 },
  );
});

test('JSON that is nested too deep or malformed gives nothing', () => {
  assert.equal(parseJson(Buffer.from('['.repeat(100_000))), undefined);
  assert.equal(parseJson(Buffer.from(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`)), undefined);
  assert.equal(parseJson(Buffer.from('<html>')), undefined);
  assert.deepEqual(parseJson(Buffer.from('{"a":"[[[[\\"[[["}')), { a: '[[[["[[[' });
});

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const under = Object.entries(value).flatMap(([key, child]) => pathsOf(child, [...path, key]));
  return path.length === 0 ? under : [path, ...under];
}

function put(value: unknown, path: Path, other: unknown): void {
  let at = value;
  for (const key of path.slice(0, -1)) {
    if (typeof at !== 'object' || at === null) return;
    at = (at as Record<string | number, unknown>)[key];
  }
  if (typeof at === 'object' && at !== null)
    (at as Record<string | number, unknown>)[path.at(-1) ?? ''] = other;
}
