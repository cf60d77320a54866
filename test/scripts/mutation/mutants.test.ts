import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mutantsOf } from '../../../scripts/mutation/mutants.ts';

function changes(text: string): readonly string[] {
  return mutantsOf(text).map(({ original, replacement }) => `${original} → ${replacement}`);
}

test('operators, literals, conditions, returns and statements are mutated', () => {
  assert.deepEqual(changes('const a = b < c && !d;'), ['&& → ||', '< → <=', '! → ']);
  assert.deepEqual(changes("const a = [true, 7, 'x', ''];"), [
    'true → false',
    '7 → 8',
    "'x' → ''",
    "'' → 'mutant'",
  ]);
  assert.deepEqual(changes('function f(a) { if (a) return a; }'), [
    'a → !(a)',
    'return a; → return undefined;',
  ]);
  assert.deepEqual(changes('a += 1; b++;'), ['a += 1; → ;', '+= → -=', '1 → 2', 'b++; → ;', '++ → --']);
});

test('types, imports, property names and the concatenation of strings are not mutated', () => {
  assert.deepEqual(changes("import { a } from './a.ts'; export * from './b.ts';"), []);
  assert.deepEqual(changes("type A = 1 | 'x'; interface B { readonly c: true }"), []);
  assert.deepEqual(changes("const a: 'x' = b as 'x'; const c = { 'd': e<1>() };"), []);
  assert.deepEqual(changes("const a = 'x' + b;"), ["'x' → ''"]);
});

test('a mutant has the line of its change and the offsets of its original', () => {
  const text = 'const a = 1;\nconst b = a - 2;\n';
  const [, minus] = mutantsOf(text);
  assert.deepEqual(minus, {
    line: 2,
    start: text.indexOf('-'),
    end: text.indexOf('-') + 1,
    original: '-',
    replacement: '+',
  });
});
