import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { csvRow, headerRow } from '../../../src/model/feed/csv-row.ts';
import { feedNames, isFeedName, membersOf } from '../../../src/model/feed/feed.ts';
import { lineOf } from '../../../src/model/feed/record-line.ts';
import { findSecond, secondText } from '../../../src/model/feed/second.ts';
import { feedProducts } from '../../../src/model/product-catalogue.ts';

const timestamp = '2026-03-04T10:11:12Z';

test('there are nine feeds, and each is a product', () => {
  assert.deepEqual([...feedNames].sort(), Object.keys(feedProducts).sort());
  assert.ok(!isFeedName('toString'));
});

test('a line has the members in wire order, whatever their order in the record', () => {
  assert.equal(
    lineOf('nod', { domain: 'a.example', timestamp }),
    '{"timestamp":"2026-03-04T10:11:12Z","domain":"a.example"}\n',
  );
});

test('a line has the members of the schema and no others', () => {
  const record = { extra: 1, domain: 'a"b\n.example', timestamp, toString: 2 };
  assert.equal(
    lineOf('nad', record as never),
    '{"timestamp":"2026-03-04T10:11:12Z","domain":"a\\"b\\n.example"}\n',
  );
});

test('nested members are in wire order too, and absent optional members are left out', () => {
  const parsed = {
    registrar: { contacts: [{ roles: [], phone: '1', email: 'e', name: 'n' }], name: 'R' },
    nameservers: ['ns1.example'],
    links: [{ rel: 'self', href: 'h' }],
    handle: 'H',
    unclassified_emails: [],
    email_domains: [],
    emails: [],
    domain_statuses: [],
    domain: 'a.example',
    dnssec: undefined,
    creation_date: 'c',
    contacts: [],
    conformance: [],
  };
  const line = lineOf('domainrdap', {
    parsed_record: { registry_request_url: 'u', parsed_fields: parsed, registrar_request_url: null },
    raw_record: { requests: [], first_request_timestamp: timestamp },
    domain: 'a.example',
    timestamp,
  } as never);
  assert.equal(
    line,
    `{"timestamp":"${timestamp}","domain":"a.example",` +
      `"raw_record":{"first_request_timestamp":"${timestamp}","requests":[]},` +
      '"parsed_record":{"parsed_fields":{"conformance":[],"contacts":[],"creation_date":"c","domain":"a.example",' +
      '"domain_statuses":[],"emails":[],"email_domains":[],"unclassified_emails":[],"handle":"H",' +
      '"links":[{"href":"h","rel":"self"}],"nameservers":["ns1.example"],' +
      '"registrar":{"name":"R","contacts":[{"name":"n","email":"e","phone":"1","roles":[]}]}},' +
      '"registrar_request_url":null,"registry_request_url":"u"}}\n',
  );
});

/** A CSV parser (RFC 4180), independent of the code that writes it. */
function readCsv(text: string): string[][] {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)];
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of cells) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end !== ',') rows.push([]);
  }
  return rows.slice(0, -1);
}

test('any record can be parsed from its row, apart from the apostrophe before formulas', () => {
  const members = membersOf('nod');
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }), (names) => {
      const rows = names.map((domain) => csvRow({ timestamp, domain }, members)).join('');
      const shown = (text: string) => (/^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text);
      assert.deepEqual(
        readCsv(rows),
        names.map((domain) => [timestamp, shown(domain)]),
      );
    }),
  );
});

test('null is an empty cell, and a negative number stays a number', () => {
  assert.equal(
    csvRow({ a: null, b: -1.5, c: false, e: '-x' }, ['a', 'b', 'c', 'd', 'e']),
    ",-1.5,false,,'-x\r\n",
  );
  assert.equal(headerRow(['a', 'b']), 'a,b\r\n');
});

test('a second is parsed from its own text alone', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
      assert.equal(findSecond(secondText(seconds)), seconds);
    }),
  );
  for (const text of [
    '',
    '2026-02-29T00:00:00Z',
    '2026-03-04T24:00:00Z',
    '2026-03-04T10:11:12',
    ' 2026-03-04T10:11:12Z',
  ])
    assert.equal(findSecond(text), undefined, text);
});
