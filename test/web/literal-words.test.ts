import assert from 'node:assert/strict';
import { test } from 'node:test';
import { literalWords } from '../tidy/literal-words.ts';
import { list, read } from '../tidy/source-tree.ts';

const planted: readonly (readonly [where: string, source: string])[] = [
  ['between tags', 'const x = <p>Saved</p>;'],
  ['as a value of an expression', "const x = <p>{isNew ? 'new' : words.old}</p>;"],
  ['in a template', 'const x = <p>{`${n} new`}</p>;'],
  ['in a label for screen readers', 'const x = <p aria-label="Choices" />;'],
  ['in a title', "const x = <p title={open ? 'open' : undefined} />;"],
  ['in a property of a part', "const x = <Failure what='decisions' />;"],
  ['in a binding of a key', "const x = { keys: 'x', label: 'Select' };"],
  ['in the title of the page', "useTitle('Monitors');"],
  ['in a table of sentences', "const x = { queued: 'A picture is queued.' };"],
];

for (const [where, source] of planted) {
  test(`words ${where} are found`, () => {
    assert.equal(literalWords('planted.tsx', source).length, 1);
  });
}

test('classes, keys, addresses, punctuation and numbers are no words', () => {
  const source = `const x = <p className="wide open" title={words.title} onKeyDown={({ key }) => key === 'Enter'}>{n > 1 ? '–' : ': '} 12 <a href="/ui/"></a></p>;`;
  assert.deepEqual(literalWords('allowed.tsx', source), []);
});

test('the web UI has its words in web/src/words alone', () => {
  const files = list('web/src/**/*.{ts,tsx}').filter(
    (file) => !/^web\/src\/words\/|\.check\.tsx$/.test(file),
  );
  assert.ok(files.length > 20);
  assert.deepEqual(
    files.flatMap((file) => literalWords(file, read(file))),
    [],
  );
});
