import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawnForeignText } from '../tidy/foreign-text.ts';
import { list, read } from '../tidy/source-tree.ts';

const planted: readonly (readonly [why: string, source: string])[] = [
  ['unwrapped in a child', 'const x = <td>{plain(domain.registrar)}</td>;'],
  ['unwrapped in a fragment', 'const x = <>{plain(domain.registrar)}</>;'],
  ['unwrapped in a condition', "const x = <td>{domain.registrar ? plain(domain.registrar) : ''}</td>;"],
  ['unwrapped in a template', 'const x = <td>{`by ${plain(note.by)}`}</td>;'],
  ['unwrapped in a method call', 'const x = <td>{plain(note.by).trim()}</td>;'],
  ['unwrapped in an attribute', 'const x = <td title={plain(note.by)} />;'],
  ['converted', 'const x = <td>{String(note.by)}</td>;'],
  ['cast', 'const x = <td>{note.by as unknown as string}</td>;'],
  ['a value in a fragment', 'const x = <>{note.by}</>;'],
  ['one of two values in a fragment', 'const x = <>{by ? by : <b />}</>;'],
  ['a last value in a fragment', 'const x = <>{is && note?.by}</>;'],
  ['as markup', 'const x = <td dangerouslySetInnerHTML={{ __html: note.text }} />;'],
];

for (const [why, source] of planted) {
  test(`text of somebody else that is ${why} is found`, () => {
    assert.equal(drawnForeignText('planted.tsx', source).length, 1);
  });
}

test('keys, addresses and what a click does may use the text itself', () => {
  const source =
    'const x = <Text key={plain(a)} search={{ by: plain(a) }} onClick={() => send(plain(a))} of={a} />;';
  assert.deepEqual(drawnForeignText('allowed.tsx', source), []);
});

test('the web UI draws text of somebody else by Text and Name alone', () => {
  const files = list('web/src/**/*.tsx').filter((file) => !/parts\/(?:text|name)\.tsx$/.test(file));
  assert.ok(files.length > 20);
  assert.deepEqual(
    files.flatMap((file) => drawnForeignText(file, read(file))),
    [],
  );
});
