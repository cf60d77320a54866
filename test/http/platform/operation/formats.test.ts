import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { render } from '../../../../src/http/platform/operation/formats.ts';

/** What XML and HTML preserve of a value: numbers and booleans are text, and null is an empty string. */
type Tree =
  | { readonly text: string }
  | { readonly parts: readonly (readonly [name: string, part: Tree | null])[] };

const emptyTree: Tree = { text: '' };

function treeOf(value: unknown): Tree | null {
  if (value === null) return null;
  if (typeof value !== 'object') return { text: String(value) };
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((item) => ['item', item])
    : Object.entries(value);
  return entries.length === 0 ? emptyTree : { parts: entries.map(([name, part]) => [name, treeOf(part)]) };
}

function unescape(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

interface Open {
  readonly tag: string;
  readonly name: string;
  readonly nil: boolean;
  readonly parts: (readonly [string, Tree | null])[];
  text: string;
}

/** Parses elements like an XML parser: line ends become \n in text (XML 1.0, 2.11), white space a space in attributes (3.3.3). */
function readXml(document: string): Tree | null {
  const normalized = document.replaceAll(/\r\n?/g, '\n');
  const tags = /<(\/?)([A-Za-z_][\w.-]*)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)/gy;
  const start = '<?xml version="1.0" encoding="UTF-8"?>\n';
  assert.ok(normalized.startsWith(start));
  tags.lastIndex = start.length;
  const stack: Open[] = [{ tag: '', name: '', nil: false, parts: [], text: '' }];
  while (tags.lastIndex < normalized.length) {
    const found = tags.exec(normalized);
    assert.ok(found, 'not well-formed');
    const [, closing, tag = '', attributes = '', empty, text] = found;
    const top = stack.at(-1) as Open;
    if (text !== undefined) {
      assert.doesNotMatch(text.replaceAll(/&#\d+;/g, ''), /&/);
      top.text += unescape(text);
    } else if (closing) close(stack, tag);
    else {
      const name = /name="([^"]*)"/.exec(attributes)?.[1]?.replaceAll(/[\t\n]/g, ' ');
      const nil = attributes.includes('nil="true"');
      stack.push({ tag, name: name === undefined ? tag : unescape(name), nil, parts: [], text: '' });
      if (empty) close(stack, tag);
    }
  }
  assert.equal(stack.length, 1);
  return { parts: (stack[0] as Open).parts };
}

function close(stack: Open[], tag: string): void {
  const done = stack.pop() as Open;
  assert.equal(done.tag, tag);
  const tree = done.parts.length > 0 ? { parts: done.parts } : { text: done.text };
  if (done.parts.length > 0) assert.equal(done.text, '');
  (stack.at(-1) as Open).parts.push([done.name, done.nil ? null : tree]);
}

/** Parses the page into the same tree: `dl` has named parts, `ol` has items; null is empty. */
function readHtml(page: string): Tree {
  const body = /<body>(.*)<\/body>/s.exec(page)?.[1] ?? assert.fail('no body');
  const tokens = [...body.matchAll(/<(\/?[a-z]+)>|([^<]+)/g)];
  assert.equal(tokens.map(([token]) => token).join(''), body);
  let at = 0;
  const expectTag = (tag: string) => assert.equal(tokens[at++]?.[1], tag);
  const next = () => tokens[at]?.[1];
  const text = () => {
    const [, , raw] = tokens[at] ?? [];
    if (raw === undefined) return '';
    at += 1;
    assert.doesNotMatch(raw.replaceAll(/&#\d+;/g, ''), /[&<>"']/);
    return unescape(raw);
  };
  const value = (): Tree => {
    const tag = next();
    if (tag !== 'dl' && tag !== 'ol') return { text: text() };
    expectTag(tag);
    const parts: [string, Tree][] = [];
    while (next() !== `/${tag}`) {
      let name = 'item';
      if (tag === 'dl') {
        expectTag('dt');
        name = text();
        expectTag('/dt');
      }
      const inner = tag === 'dl' ? 'dd' : 'li';
      expectTag(inner);
      parts.push([name, value()]);
      expectTag(`/${inner}`);
    }
    expectTag(`/${tag}`);
    return parts.length === 0 ? emptyTree : { parts };
  };
  const tree = value();
  assert.equal(at, tokens.length);
  return tree;
}

/** HTML does not distinguish null from an empty text. */
function withoutNull(tree: Tree | null): Tree {
  if (tree === null) return emptyTree;
  return 'text' in tree ? tree : { parts: tree.parts.map(([name, part]) => [name, withoutNull(part)]) };
}

const printable = fc.string({ unit: 'grapheme' });
const hostile = fc.constantFrom(
  '<script>alert(1)</script>',
  '</item><item>',
  ']]>',
  '<!--',
  '&amp;',
  '&#60;',
  '"><img src=x onerror=alert(1)>',
  "' onload='",
  '<?xml?>',
  'nil="true"',
);
const leaf = fc.oneof(printable, hostile, fc.integer(), fc.boolean(), fc.constant(null));
const memberName = fc.oneof(
  fc.constantFrom('domain', 'item', 'member', 'name', 'a b', '1st', 'x:y', '__proto', ''),
  printable,
  hostile,
);
const { value: arbitraryValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(memberName, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const response = fc.dictionary(memberName, arbitraryValue, { minKeys: 1, maxKeys: 3, noNullPrototype: true });

test('XML preserves the data of any value', () => {
  fc.assert(
    fc.property(response, (value) => {
      const tree = treeOf(value);
      const expected = Object.keys(value).length === 1 ? tree : { parts: [['response', tree]] };
      assert.deepEqual(readXml(render(value, 'xml').trimEnd()), expected);
    }),
    { numRuns: 500 },
  );
});

test('HTML preserves the data of any value', () => {
  fc.assert(
    fc.property(response, (value) => {
      assert.deepEqual(readHtml(render(value, 'html')), withoutNull(treeOf(value)));
    }),
    { numRuns: 500 },
  );
});

for (const text of ['a\nb', 'a\tb', ' a ', 'a\rb', 'a\r\nb']) {
  test(`XML preserves the text ${JSON.stringify(text)}`, () => {
    assert.deepEqual(readXml(render({ a: text }, 'xml').trimEnd()), { parts: [['a', { text }]] });
  });
}

test('XML preserves a name with any white space', () => {
  const name = 'a\tb\nc d';
  assert.deepEqual(readXml(render({ [name]: 1 }, 'xml').trimEnd()), { parts: [[name, { text: '1' }]] });
});

test('each control character that XML does not allow becomes one replacement character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      const shown = render({ a: text }, 'xml');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not occur
      assert.doesNotMatch(shown, /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
      const content = unescape(/<a>(.*)<\/a>/s.exec(shown)?.[1] ?? '');
      assert.equal(content.length, text.length);
    }),
  );
});

test('tags, entities and quotes in the data are escaped in HTML and XML', () => {
  const value = { response: { '<b>': '<script>alert("1" & \'2\')</script>' } };
  for (const format of ['xml', 'html'] as const) {
    const shown = render(value, format);
    assert.doesNotMatch(shown, /<b>|<script|alert\("|& |'2'/);
    assert.equal(shown.split('&#60;script&#62;').length, 2);
    assert.equal(shown.split('&#38; ').length, 2);
  }
});
