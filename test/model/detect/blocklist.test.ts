import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  type BlocklistFormatName,
  blocklistFormatNames,
  blocklistFormats,
  isWritable,
} from '../../../src/model/detect/blocklist/format.ts';

const names = ['acme-login.example', 'xn--cme-5cd.example'];

function written(format: BlocklistFormatName, version = 6): string {
  const { head, lines } = blocklistFormats[format];
  return head({ version, ttlSeconds: 300 }) + names.map(lines).join('');
}

test('a response policy zone makes the name and all names below it nonexistent', () => {
  const soa = '@ SOA localhost. hostmaster.localhost. 7 3600 600 604800 300';
  const rules = names.flatMap((name) => [`${name} CNAME .`, `*.${name} CNAME .`]);
  assert.equal(written('rpz'), ['$TTL 300', soa, '@ NS localhost.', ...rules, ''].join('\n'));
});

test('the serial of a zone increases with the version and wraps around', () => {
  const serial = (version: number) => written('rpz', version).split(' ')[5];
  assert.deepEqual([0, 1, 4_294_967_294, 4_294_967_295].map(serial), ['1', '2', '4294967295', '0']);
});

test('a hosts file maps each name and its www to 0.0.0.0', () => {
  const lines = names.flatMap((name) => [`0.0.0.0 ${name}`, `0.0.0.0 www.${name}`]);
  assert.equal(written('hosts'), ['# blocked names, version 6', ...lines, ''].join('\n'));
});

test('a plain list is names and nothing else', () => {
  assert.equal(written('plain'), 'acme-login.example\nxn--cme-5cd.example\n');
});

test('a Suricata dataset has one base64 value per line', () => {
  assert.equal(written('suricata'), 'YWNtZS1sb2dpbi5leGFtcGxl\neG4tLWNtZS01Y2QuZXhhbXBsZQ==\n');
});

test('a Zeek intelligence file has tab-separated columns', () => {
  const rows = names.map((name) => `${name}\tIntel::DOMAIN\tnameglass`);
  assert.equal(written('zeek'), ['#fields\tindicator\tindicator_type\tmeta.source', ...rows, ''].join('\n'));
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
  const linesOfName = { rpz: 2, hosts: 2, plain: 1, suricata: 1, zeek: 1 };
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.domain()), (name) => {
      if (!isWritable(name)) return;
      for (const format of blocklistFormatNames) {
        const text = blocklistFormats[format].lines(name);
        assert.equal(text.split('\n').length - 1, linesOfName[format]);
        assert.match(text, /^[ -~\t\n]*$/);
      }
    }),
  );
});
