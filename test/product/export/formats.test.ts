/** The formats of exports, with hostile values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { defang } from '../../../src/model/defang.ts';
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { uuidV5 } from '../../../src/model/stix/uuid-v5.ts';
import { defangAll } from '../../../src/product/export/defang.ts';
import type { ExportContext, ExportedDomain } from '../../../src/product/export/export-format.ts';
import { exportFormats, writeExport } from '../../../src/product/export/write-export.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';
import { parseCsv } from './parse-csv.ts';
import { stixFaults } from './stix-rules.ts';

const context: ExportContext = {
  account: { id: 'a1', name: 'Acme "Team" <b>' },
  subject: 'registrar=x',
  nowMs: Date.parse('2026-03-04T10:11:12.345Z'),
  defanged: false,
  marking: 'amber',
};

/** In batches of two. */
async function written(
  domains: readonly ExportedDomain[],
  format: keyof typeof exportFormats,
  defanged = false,
): Promise<string> {
  async function* batches() {
    for (let at = 0; at < domains.length; at += 2) yield domains.slice(at, at + 2);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeExport(batches(), exportFormats[format], { ...context, defanged }))
    chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const exported = (record: DomainRecord, tags: readonly string[] = []): ExportedDomain => ({ record, tags });

const hostile = fc.oneof(
  fc.constantFrom(
    '=HYPERLINK("http://evil.example")',
    '+1+1',
    '-2+3',
    '@SUM(A1)',
    "'=1",
    '"quoted", and comma',
    '＝1+1',
    '<script>',
    '\u202Egnp.exe',
  ),
  fc.string({ unit: anyCharacter, minLength: 1 }).filter((text) => text.isWellFormed()),
);

test('a cell of a CSV export is the value, and none begins like a formula', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 5 }), async (texts) => {
      const domains = texts.map((text, index) =>
        exported({ domain: `d${index}.example`, registrar: text, website_title: text }, [text]),
      );
      const text = await written(domains, 'csv');
      assert.equal(text[0], '\ufeff');
      const [titles = [], ...rows] = parseCsv(text.slice(1));
      assert.equal(rows.length, texts.length);
      for (const [index, row] of rows.entries()) {
        assert.equal(row.length, titles.length);
        for (const title of ['registrar', 'website_title', 'tags']) {
          const cell = row[titles.indexOf(title)] ?? assert.fail(title);
          assert.doesNotMatch(cell, /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/);
          assert.ok(cell === texts[index] || cell === `'${texts[index]}`, cell);
        }
      }
    }),
  );
});

test('names are in Unicode and in punycode in CSV, and in punycode alone elsewhere', async () => {
  const domains = [exported({ domain: 'xn--80ak6aa92e.example' })];
  const csv = await written(domains, 'csv');
  assert.match(csv, /\r\nаррӏе\.example,xn--80ak6aa92e\.example,/);
  assert.equal(await written(domains, 'txt'), 'xn--80ak6aa92e.example\n');
});

test('a line of NDJSON is the record itself', async () => {
  const records: DomainRecord[] = [
    { domain: 'a.example', registrar: 'A\nB', ip: [{ address: '192.0.2.1' }] },
    { domain: 'b.example', first_seen: '2026-03-04T10:11:12.345Z' },
    { domain: 'c.example' },
  ];
  const text = await written(
    records.map((record) => exported(record, ['tag'])),
    'ndjson',
  );
  const lines = text.split('\n');
  assert.equal(lines.pop(), '');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    records,
  );
});

test('a defanged export has no name, address or URL that a program makes a link of', async () => {
  const record: DomainRecord = {
    domain: 'login.acme.example',
    first_seen: '2026-03-04T10:11:12.345Z',
    ip: [{ address: '192.0.2.1' }],
    name_server: [{ host: 'ns1.velt.example' }],
    soa_email: ['host@velt.example'],
    redirect: 'https://evil.example/login?x=http://other.example',
    parsed_whois: { record: 'Registrar URL: http://reg.example\nEmail: a@b.example.' },
  };
  for (const format of ['csv', 'ndjson', 'txt'] as const) {
    const text = await written([exported(record)], format, true);
    assert.match(text, /login\[\.\]acme\[\.\]example/);
    assert.doesNotMatch(text, /\w\.(?:example|acme|0|2)|https?:|\w@\w/, format);
  }
  const line = JSON.parse(await written([exported(record)], 'ndjson', true));
  assert.equal(line.first_seen, record.first_seen);
});

test('defanging is what people write by hand', () => {
  assert.equal(defang('https://a.example/x'), 'hxxps[://]a[.]example/x');
  assert.equal(defang('*.a.example'), '*[.]a[.]example');
  assert.equal(defang('owner@mail.example'), 'owner[@]mail[.]example');
  assert.equal(defang('192.0.2.1'), '192[.]0[.]2[.]1');
  assert.deepEqual(defangAll({ a: ['x.y'], b: 1, c: null, d: '2026-03-04T10:11:12.345Z' }), {
    a: ['x[.]y'],
    b: 1,
    c: null,
    d: '2026-03-04T10:11:12.345Z',
  });
});

test('a UUID of a name is that of RFC 9562, A.4', () => {
  const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  assert.equal(uuidV5(dns, 'www.example.com'), '2ed6657d-e927-568b-95e1-2665a8aea6a2');
});

const scored = (domain: string, risk_score: number, threats: string[] = []): DomainRecord => ({
  domain,
  first_seen: '2026-02-01T00:00:00Z',
  domain_risk: { risk_score, components: [{ name: 'threat_profile', risk_score, threats }] },
});

test('a STIX bundle follows the rules of STIX 2.1', async () => {
  const domains = [
    exported(scored('bad.example', 99, ['phishing']), ['kit 7', '"<b>']),
    exported(scored('fair.example', 40)),
    exported(scored('good.example', 0)),
    exported({ domain: '_dmarc.xn--bcher-kva.example' }),
    exported({ ...scored('late.example', 70), first_seen: '2027-01-01T00:00:00Z' }),
  ];
  const bundle = JSON.parse(await written(domains, 'stix'));
  assert.deepEqual(stixFaults(bundle), []);
  const indicators = bundle.objects.filter(({ type }: { type: string }) => type === 'indicator');
  assert.deepEqual(
    indicators.map(({ name, indicator_types, labels, confidence, valid_from }: Record<string, unknown>) => [
      name,
      indicator_types,
      labels,
      confidence,
      valid_from,
    ]),
    [
      ['bad.example', ['malicious-activity'], ['phishing', 'kit 7', '"<b>'], 99, '2026-02-01T00:00:00.000Z'],
      ['fair.example', ['unknown'], undefined, 40, '2026-02-01T00:00:00.000Z'],
      ['_dmarc.xn--bcher-kva.example', ['unknown'], undefined, undefined, '2026-03-04T10:11:12.345Z'],
      ['late.example', ['malicious-activity'], undefined, 70, '2027-01-01T00:00:00.000Z'],
    ],
  );
  assert.deepEqual(JSON.parse(await written(domains, 'stix')), bundle);
});

test('an empty STIX bundle still has its identity', async () => {
  const bundle = JSON.parse(await written([], 'stix'));
  assert.deepEqual(stixFaults(bundle), []);
  assert.deepEqual(
    bundle.objects.map(({ type, name }: { type: string; name: string }) => [type, name]),
    [
      ['marking-definition', 'TLP:AMBER'],
      ['identity', context.account.name],
    ],
  );
});

test('the id of a domain name in STIX is the one that everybody gives it', async () => {
  const bundle = JSON.parse(await written([exported({ domain: 'example.com' })], 'stix'));
  // Python: uuid.uuid5(uuid.UUID('00abedb4-aa42-466c-9c01-fed23315a9b7'), '{"value":"example.com"}')
  assert.equal(bundle.objects[2].id, 'domain-name--bedb4899-d24b-5401-bc86-8f6b4cc18ec7');
});
