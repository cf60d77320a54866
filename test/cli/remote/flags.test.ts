/** How flags and arguments become requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { readRisk } from '../../../src/cli/remote/detect/risk-bounds.ts';
import { addInvestigate } from '../../../src/cli/remote/investigate.ts';
import { type Kind, questionOf } from '../../../src/cli/remote/pdns/lookup-path.ts';
import { serverSentEvents } from '../../../src/cli/remote/server-sent-events.ts';
import { namedParameters } from '../../../src/product/investigate/search-parameters.ts';

const risks: readonly (readonly [text: string, ranges: readonly string[], inside: readonly number[]])[] = [
  ['>90', ['70-99', '100-100'], [91, 100]],
  ['>=70', ['70-99', '100-100'], [70, 100]],
  ['<40', ['0-0', '1-39'], [0, 39]],
  ['<=40', ['0-0', '1-39', '40-69'], [0, 40]],
  ['100', ['100-100'], [100]],
  ['=0', ['0-0'], [0]],
  ['30-50', ['1-39', '40-69'], [30, 50]],
];

for (const [text, ranges, inside] of risks) {
  test(`--risk '${text}' asks for ${ranges.join(' and ')}, and keeps exactly its scores`, () => {
    const risk = readRisk(text);
    assert.deepEqual(risk.ranges, ranges);
    const kept = Array.from({ length: 101 }, (_, score) => score).filter((score) => risk.includes(score));
    assert.deepEqual([kept[0], kept.at(-1)], [inside[0], inside.at(-1)]);
  });
}

test('scores that do not exist are refused', () => {
  for (const text of ['', 'high', '>100', '101', '<0', '50-101']) assert.throws(() => readRisk(text), text);
});

const questions: readonly (readonly [
  given: string,
  kind: Kind | undefined,
  type: string | undefined,
  path: string,
])[] = [
  ['www.example.com', undefined, undefined, 'rrset/name/www.example.com'],
  ['www.example.com', undefined, 'A', 'rrset/name/www.example.com/A'],
  ['*.example.com', undefined, undefined, 'rrset/name/%2A.example.com'],
  ['hxxps://www[.]example.com/x', undefined, undefined, 'rrset/name/www.example.com'],
  ['example.com/NS/com', 'rrset', undefined, 'rrset/name/example.com/NS/com'],
  ['ns1.example', 'name', 'NS', 'rdata/name/ns1.example/NS'],
  ['192.0.2.1', undefined, undefined, 'rdata/ip/192.0.2.1'],
  ['192.0.2[.]1', undefined, undefined, 'rdata/ip/192.0.2.1'],
  ['192.0.2.0/24', undefined, undefined, 'rdata/ip/192.0.2.0,24'],
  ['192.0.2.1-192.0.2.9', 'ip', undefined, 'rdata/ip/192.0.2.1-192.0.2.9'],
  ['2001:db8::/32', undefined, undefined, 'rdata/ip/2001:db8::,32'],
  ['192.0.2.1', 'rrset', undefined, 'rrset/name/192.0.2.1'],
];

for (const [given, kind, type, path] of questions) {
  test(`pdns ${kind ?? ''} ${given} ${type ?? ''} asks ${path}`, () => {
    assert.equal(questionOf(given, kind, type).path, path);
  });
}

test('what is neither an address nor a name is refused with exit code 2', () => {
  assert.throws(() => questionOf('example.com', 'ip', undefined), { exitCode: 2 });
  assert.throws(() => questionOf('a/b/c/d', undefined, undefined), { exitCode: 2 });
  assert.throws(() => questionOf('a/NS/com', 'name', undefined), { exitCode: 2 });
});

test('every search parameter of Investigate is a flag', () => {
  const program = new Command();
  addInvestigate(program, {} as never);
  const flags = program.commands[0]?.options.map(({ long }) => long) ?? [];
  for (const { name } of namedParameters) assert.ok(flags.includes(`--${name.replaceAll('_', '-')}`), name);
});

test('events are read across chunks, and comments are skipped', async () => {
  const chunks = [
    ': keep-alive\n\nid: 1\nda',
    'ta: {"domain":"a.example"}\n',
    '\nid: 2\ndata: {"domain":"b.example"}\n\n',
  ];
  const body = new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  const found: object[] = [];
  for await (const event of serverSentEvents(new Response(body))) found.push(event);
  assert.deepEqual(found, [{ domain: 'a.example' }, { domain: 'b.example' }]);
});
