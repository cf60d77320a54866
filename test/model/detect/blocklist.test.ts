import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  type BlocklistFormat,
  type BlocklistFormatName,
  type BlocklistHead,
  blocklistFormatNames,
  blocklistFormats,
  isWritable,
} from '../../../src/model/detect/blocklist/format.ts';
import type { ListedName } from '../../../src/model/detect/blocklist/selection.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';
import { stixFaults } from '../../product/export/stix-rules.ts';

const names = ['acme-login.example', 'xn--cme-5cd.example'];

const listed = (name: string, more: Partial<ListedName> = {}): ListedName => ({
  name,
  kind: 'blocked',
  reason: { source: 'blocked', riskScore: 93, terms: ['acme', 'acme\tcorp'] },
  sinceMs: 0,
  isWwwAllowed: false,
  ...more,
});

const someList: BlocklistHead = {
  selection: 'blocked',
  serial: 7,
  ttlSeconds: 300,
  author: { accountId: 'a1', accountName: 'Acme "Team"', marking: 'amber' },
};
const withoutPage = { pageUrl: undefined, list: someList };

function written(
  format: BlocklistFormatName,
  entries = names.map((name) => listed(name)),
  serial = 7,
): string {
  const { head, lines, foot = '' }: BlocklistFormat = blocklistFormats[format];
  const list = { ...someList, serial };
  const text = entries.map((entry) =>
    lines(entry, { pageUrl: `https://names.example/ui/domain/${entry.name}`, list }),
  );
  return head(list) + text.join('') + foot;
}

test('a response policy zone makes the name and all names below it nonexistent', () => {
  const soa = '@ SOA localhost. hostmaster.localhost. 7 300 60 604800 300';
  const rules = names.flatMap((name) => [`${name} CNAME .`, `*.${name} CNAME .`]);
  assert.equal(written('rpz'), ['$TTL 300', soa, '@ NS localhost.', ...rules, ''].join('\n'));
});

test('a response policy zone excepts allowed names below a blocked one', () => {
  const zone = written('rpz', [listed('good.acme-login.example', { kind: 'passed' })]);
  assert.deepEqual(zone.split('\n').slice(3), [
    'good.acme-login.example CNAME rpz-passthru.',
    '*.good.acme-login.example CNAME rpz-passthru.',
    '',
  ]);
  for (const format of ['hosts', 'plain', 'suricata', 'zeek', 'stix'] as const)
    assert.equal(written(format, [listed('a.example', { kind: 'passed' })]), written(format, []));
});

test('the serial of a zone wraps around after 32 bits', () => {
  const serial = (of: number) => written('rpz', [], of).split(' ')[5];
  assert.deepEqual([1_772_619_072, 4_294_967_295, 4_294_967_296, 4_294_967_300].map(serial), [
    '1772619072',
    '4294967295',
    '0',
    '4',
  ]);
});

test('a hosts file maps each name and its www to 0.0.0.0', () => {
  const lines = names.flatMap((name) => [`0.0.0.0 ${name}`, `0.0.0.0 www.${name}`]);
  const head =
    '# blocklist blocked, version 7: each name and www. before it; other names below it are not covered';
  assert.equal(written('hosts'), [head, ...lines, ''].join('\n'));
});

test('a hosts file leaves out a www that is allowed', () => {
  const file = written('hosts', [listed('acme.top', { isWwwAllowed: true })]);
  assert.deepEqual(file.split('\n').slice(1), ['0.0.0.0 acme.top', '']);
});

test('a plain list is names and nothing else', () => {
  assert.equal(written('plain'), 'acme-login.example\nxn--cme-5cd.example\n');
});

test('a Suricata dataset has one base64 value per line', () => {
  assert.equal(written('suricata'), 'YWNtZS1sb2dpbi5leGFtcGxl\neG4tLWNtZS01Y2QuZXhhbXBsZQ==\n');
});

test('a Zeek intelligence file has tab-separated columns, why each name is listed and where to read more', () => {
  const why = 'blocked; resembles acme, acme?corp; risk 93';
  const rows = names.map(
    (name) => `${name}\tIntel::DOMAIN\tnameglass\t${why}\thttps://names.example/ui/domain/${name}`,
  );
  const head = '#fields\tindicator\tindicator_type\tmeta.source\tmeta.desc\tmeta.url';
  assert.equal(written('zeek'), [head, ...rows, ''].join('\n'));
});

test('a Zeek intelligence file says what chose a name, and has a dash where there is no page', () => {
  const rows = [
    listed('a.example', { reason: { source: 'new', riskScore: 70 } }),
    listed('b.example', { reason: { source: 'tagged', tag: 'Fälle' } }),
  ].map((entry) => blocklistFormats.zeek.lines(entry, withoutPage));
  assert.deepEqual(rows, [
    'a.example\tIntel::DOMAIN\tnameglass\tnew lookalike; risk 70\t-\n',
    'b.example\tIntel::DOMAIN\tnameglass\ttagged F?lle\t-\n',
  ]);
});

test('a name with special meaning in a format is on no list', () => {
  const wrong = [
    '',
    'a',
    '.',
    'a.',
    '.a.b',
    'a..b',
    '*.a.b',
    '@',
    '$TTL.a',
    'a b.c',
    'a\n.b',
    'a\t.b',
    '#a.b',
  ];
  const worse = ['a;.b', '"a".b', 'a\\032.b', 'ä.example', 'A.example', `${'a'.repeat(64)}.b`, '-\u2028.b'];
  assert.deepEqual([...wrong, ...worse, `${'a.'.repeat(120)}b`].filter(isWritable), []);
  assert.ok(
    ['a.b', '_x.a-b.c', '-a.b', 'xn--cme-5cd.example', '1.2', `${'a'.repeat(63)}.b`].every(isWritable),
  );
});

test('every writable name gives a fixed number of printable lines in each format', () => {
  const linesOfName = { rpz: 2, hosts: 2, plain: 1, suricata: 1, zeek: 1, stix: 3 };
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.domain()), (name) => {
      if (!isWritable(name)) return;
      for (const format of blocklistFormatNames) {
        const text = blocklistFormats[format].lines(listed(name), withoutPage);
        assert.equal(text.split('\n').length - 1, linesOfName[format]);
        assert.match(text, /^[ -~\t\n]*$/);
      }
    }),
  );
});

test('a STIX bundle has observable, indicator and relationship of each name, by the rules of STIX', () => {
  const bundle = JSON.parse(written('stix'));
  assert.deepEqual(stixFaults(bundle), []);
  const indicators = bundle.objects.filter(({ type }: { type: string }) => type === 'indicator');
  assert.deepEqual(
    indicators.map(({ name, confidence, labels }: Record<string, unknown>) => [name, confidence, labels]),
    names.map((name) => [name, 93, ['blocked']]),
  );
  assert.deepEqual(stixFaults(JSON.parse(written('stix', []))), []);
  assert.equal(written('stix'), written('stix'));
});
