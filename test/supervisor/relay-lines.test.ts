/** Lines of several processes stay whole. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { relayLines } from '../../src/supervisor/relay-lines.ts';

function sinkOf(written: string[]) {
  return { write: (lines: string) => written.push(lines) > 0, drained: async () => undefined };
}

/** The bytes of a text, cut anywhere, also within a character. */
const cut = (text: string, sizes: readonly number[]): Buffer[] => {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let from = 0, index = 0; from < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    chunks.push(bytes.subarray(from, from + size));
    from += size;
  }
  return chunks;
};

const lines = fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, '')));
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });

test('whatever the pieces in which two processes write, their lines arrive whole and in order', async () => {
  await fc.assert(
    fc.asyncProperty(lines, lines, sizes, async (one, other, pieces) => {
      const written: string[] = [];
      const marked = [one.map((line) => `1${line}`), other.map((line) => `2${line}`)];
      await Promise.all(
        marked.map((own) =>
          relayLines(Readable.from(cut(own.map((line) => `${line}\n`).join(''), pieces)), sinkOf(written)),
        ),
      );
      const arrived = written.join('').split('\n').slice(0, -1);
      for (const [index, own] of marked.entries())
        assert.deepEqual(
          arrived.filter((line) => line.startsWith(String(index + 1))),
          own,
        );
    }),
  );
});

test('a line without its end is ended', async () => {
  const written: string[] = [];
  await relayLines(Readable.from([Buffer.from('whole\nbroken o')]), sinkOf(written));
  assert.equal(written.join(''), 'whole\nbroken o\n');
});

test('nothing more is read while the receiver has enough', async () => {
  const { promise: drained, resolve } = Promise.withResolvers<void>();
  const written: string[] = [];
  const sink = { write: (text: string) => written.push(text) === 0, drained: () => drained };
  const relayed = relayLines(Readable.from([Buffer.from('1\n'), Buffer.from('2\n')]), sink);
  for (let step = 0; step < 10; step += 1) await new Promise((next) => setImmediate(next));
  assert.deepEqual(written, ['1\n']);
  resolve();
  await relayed;
  assert.deepEqual(written, ['1\n', '2\n']);
});
