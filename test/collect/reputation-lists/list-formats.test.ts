import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type LineFormat, lineReader } from '../../../src/collect/reputation-lists/list-lines.ts';
import { listedName } from '../../../src/collect/reputation-lists/listed-name.ts';

function textsOf(format: LineFormat, lines: readonly (string | undefined)[], column = 1): readonly string[] {
  return entriesOf(format, lines, column).map(({ text }) => text);
}

function entriesOf(format: LineFormat, lines: readonly (string | undefined)[], column = 1) {
  const reader = lineReader(format, column);
  return [...lines.flatMap((line) => reader.read(line)), ...reader.end()];
}

const anyText = fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString('utf8'));

const bad: readonly (readonly [text: string, domain: string])[] = [
  ['evil.example', 'evil.example'],
  ['WWW.Evil.Example.', 'evil.example'],
  ['*.evil.example', 'evil.example'],
  ['https://evil.example/', 'evil.example'],
  ['https://evil.example:8443/login?x=1#y', 'evil.example'],
  ['evil.example/login', 'evil.example'],
  ['evil.example:8080', 'evil.example'],
  ['hxxps://evil[.]example/login', 'evil.example'],
  ['http://bank.example@evil.example/', 'evil.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['shop.co.uk', 'shop.co.uk'],
  ['customer.github.io', 'customer.github.io'],
  ['https://www.customer.pages.dev/x', 'customer.pages.dev'],
];

for (const [text, domain] of bad) {
  test(`${text} on a list of threats refers to ${domain}`, () => {
    const name = listedName(text, 'phishing');
    assert.equal(typeof name === 'string' ? name : name.domain, domain);
  });
}

test('a host below a domain does not list the domain', () => {
  for (const text of ['login.bank.example', 'https://docs.bank.example/x', 'a.b.customer.github.io'])
    for (const label of ['malware', 'good', 'popular'] as const)
      assert.equal(listedName(text, label), 'hosts');
});

test('a public suffix cannot be listed as a threat, but as good or popular', () => {
  for (const text of ['github.io', 'https://pages.dev/', '*.github.io']) {
    assert.equal(listedName(text, 'spam'), 'shared');
    assert.equal(typeof listedName(text, 'popular'), 'object');
  }
});

test('text that is not a domain is invalid', () => {
  const texts = ['', 'com', 'co.uk', 'localhost', '192.0.2.1', 'http://192.0.2.1/x', 'http://[2001:db8::1]/'];
  texts.push(
    'somebody@evil.example',
    'mailto:a@evil.example',
    '<html>',
    '4.3.2.1.in-addr.arpa',
    `${'a'.repeat(9000)}.example`,
  );
  for (const text of texts) assert.equal(listedName(text, 'phishing'), 'invalid', text.slice(0, 40));
});

test('a long host is refused before it is parsed', () => {
  const long = Array.from({ length: 4000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
  assert.equal(listedName(`http://${long}.com/`, 'phishing'), 'invalid');
  assert.deepEqual(listedName(`http://a.example/${long}`, 'phishing'), { domain: 'a.example', isPage: true });
});

test('any text is a registrable domain or skipped', () => {
  const text = fc.oneof(
    anyText,
    fc.string({
      unit: fc.constantFrom('a', '.', '/', ':', '[', ']', '@', 'x', '-', '%', '*', '.com'),
      maxLength: 20,
    }),
  );
  fc.assert(
    fc.property(text, (any) => {
      const name = listedName(any, 'phishing');
      if (typeof name !== 'string') assert.match(name.domain, /^[a-z0-9][a-z0-9.-]*\.[a-z][a-z0-9-]*$/);
    }),
  );
});

test('a plain list has one name per line, with comments, ranks or further columns', () => {
  const lines = [
    '# a list',
    '',
    'a.example # known',
    '2,b.example',
    'c.example\tphishing',
    '0.0.0.0 d.example e.example',
    '17',
  ];
  assert.deepEqual(textsOf('plain', lines), [
    'a.example',
    'b.example',
    'c.example',
    'd.example',
    'e.example',
    '',
  ]);
  assert.deepEqual(textsOf('plain', ['; a comment', 'https://evil.example/a?b=c']), [
    'https://evil.example/a?b=c',
  ]);
  assert.deepEqual(entriesOf('plain', ['"7","b.example"', 'c.example']), [
    { text: 'b.example', rank: 7 },
    { text: 'c.example' },
  ]);
});

test('a hosts file has an address before the names', () => {
  const lines = ['127.0.0.1 localhost', '0.0.0.0 a.example b.example # both', ':: c.example', 'd.example'];
  assert.deepEqual(textsOf('hosts', lines), ['localhost', 'a.example', 'b.example', 'c.example', '']);
});

test('a CSV list has the name in a column, quoted or not', () => {
  const lines = [
    '# id,url,tag',
    'id,url,tag',
    '1,"https://evil.example/a,b","said ""so"""',
    '2,other.example,x',
    '3',
    '',
    '"4" ,third.example',
    '5,"over',
    'two lines.example",x',
  ];
  assert.deepEqual(textsOf('csv', lines, 2), [
    'url',
    'https://evil.example/a,b',
    'other.example',
    '',
    'third.example',
    'over\ntwo lines.example',
  ]);
  assert.deepEqual(entriesOf('csv', ['3,7,"top.example"'], 3), [{ text: 'top.example', rank: 3 }]);
});

test('an unclosed quote costs one line', () => {
  const names = Array.from({ length: 20 }, (_, index) => `n${index}.example`);
  assert.deepEqual(textsOf('csv', ['"open.example,x', ...names]), ['', ...names]);
  assert.deepEqual(textsOf('csv', ['a.example', '"open.example', 'b.example']), [
    'a.example',
    '',
    'b.example',
  ]);
});

test('CSV cells round-trip, whatever they contain', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ' ', 'ü', '\n', '.'), maxLength: 8 });
  const written = (text: string) => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 5 }), fc.nat({ max: 4 }), (cells, index) => {
      fc.pre(index < cells.length && cells.join('').split('\n').length < 8);
      const lines = cells.map(written).join(',').split('\n');
      assert.deepEqual(textsOf('csv', lines, index + 1), [cells[index]?.trim()]);
    }),
  );
});

test('any lines yield a bounded number of entries, and an overlong line is invalid', () => {
  const line = fc.oneof(
    anyText,
    fc.string({ unit: fc.constantFrom('"', ',', 'a', '.', '#', ' '), maxLength: 30 }),
    fc.constant(undefined),
  );
  for (const format of ['plain', 'hosts', 'csv'] as const) {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        assert.ok(entriesOf(format, lines).length <= 64 * lines.length);
      }),
    );
    assert.deepEqual(textsOf(format, [undefined, `${'a'.repeat(20_000)}.example`]), ['', '']);
  }
});

const popularityLists: Readonly<
  Record<string, { readonly format: LineFormat; readonly column?: number; readonly lines: readonly string[] }>
> = {
  Tranco: { format: 'plain', lines: ['1,first.example\r', '2,second.example\r'] },
  Umbrella: {
    format: 'plain',
    lines: ['1,first.example', '2,second.example', '3,api.second.example', '4,net'],
  },
  CrUX: {
    format: 'csv',
    lines: ['origin,rank', 'https://www.first.example,1000', 'https://second.example,1000'],
  },
  Majestic: {
    format: 'csv',
    column: 3,
    lines: [
      'GlobalRank,TldRank,Domain,TLD,RefSubNets,RefIPs,IDN_Domain,IDN_TLD,PrevGlobalRank,PrevTldRank,PrevRefSubNets,PrevRefIPs',
      '1,1,first.example,example,480000,1900000,first.example,example,1,1,480000,1900000',
      '2,2,second.example,example,470000,1800000,second.example,example,2,2,470000,1800000',
    ],
  },
};

for (const [list, { format, column, lines }] of Object.entries(popularityLists))
  test(`the popularity list ${list} is read in its own format`, () => {
    const entries = entriesOf(format, lines, column).flatMap(({ text, rank }) => {
      const name = listedName(text, 'popular');
      return typeof name === 'string' ? [] : [{ domain: name.domain, rank }];
    });
    const ranks = list === 'CrUX' ? [undefined, undefined] : [1, 2];
    assert.deepEqual(entries, [
      { domain: 'first.example', rank: ranks[0] },
      { domain: 'second.example', rank: ranks[1] },
    ]);
  });
