/** What no single test can hold: who may import whom, that everything is documented, and that every rule has a test. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { buildProgram } from '../src/cli/run.ts';
import { operations } from '../src/http/platform/operations.ts';
import { settingLeaves } from '../src/model/settings.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const sources = globSync('src/**/*.ts', { cwd: root }).sort();

/** What each part of `src` may import besides itself. `main.ts` may import everything. */
const importTable: Readonly<Record<string, readonly string[]>> = {
  model: [],
  store: ['model'],
  outgoing: ['model'],
  collect: ['model', 'store', 'outgoing'],
  product: ['model', 'store', 'outgoing'],
  http: ['model', 'store', 'product'],
  cli: ['model', 'store', 'collect', 'product', 'config'],
  config: ['model'],
  log: ['model'],
  'store/embedded': ['model', 'store'],
  'demo-world': ['model', 'cli'],
  pipeline: ['model', 'store', 'outgoing', 'collect', 'product', 'http', 'cli', 'collection'],
  collection: ['model', 'outgoing', 'collect', 'pipeline'],
  main: [
    'model',
    'store',
    'store/embedded',
    'outgoing',
    'collect',
    'product',
    'http',
    'cli',
    'config',
    'log',
    'pipeline',
    'demo-world',
  ],
};

/** `product/account` is a part of its own: products do not import one another. */
function partOf(file: string): string {
  const [folder = '', second = ''] = relative('src', file).split('/');
  if (second === '') return folder.replace('.ts', '');
  if (folder === 'store' && second === 'embedded') return 'store/embedded';
  return folder === 'product' ? `product/${second}` : folder;
}

function importsOf(file: string): string[] {
  const found = read(file).matchAll(/^(?:import|export)\s[^;]*?from '(\.[^']+)';/gms);
  return [...found].map(([, path]) => relative(root, resolve(root, file, '..', path as string)));
}

/** `product` in the table stands for every product, but a product may import no other. */
function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  const allowed = importTable[from.startsWith('product/') ? 'product' : from];
  assert.ok(allowed, `${from} is not in the table`);
  return allowed.includes(to.startsWith('product/') ? 'product' : to);
}

test('every import follows the table: model, store, product, http and cli, main', () => {
  const wrong = sources.flatMap((file) =>
    importsOf(file)
      .filter((target) => !mayImport(partOf(file), partOf(target)))
      .map((target) => `${file} imports ${target}`),
  );
  assert.deepEqual(wrong, []);
});

test('the world knows of the words of the field alone, and nothing in src knows of the world', () => {
  const ofWorld = globSync('world/**/*.ts', { cwd: root }).flatMap((file) =>
    importsOf(file).filter((target) => !/^(?:world|src\/model)\//.test(target)),
  );
  const toWorld = sources.filter((file) => importsOf(file).some((target) => target.startsWith('world/')));
  assert.deepEqual([ofWorld, toWorld], [[], []]);
});

test('the imports are really read: main.ts is seen to import an adapter', () => {
  assert.ok(importsOf('src/main.ts').includes('src/store/embedded/account-store.ts'));
});

const reserved: readonly (readonly [what: string, pattern: RegExp, owners: readonly string[]])[] = [
  ['the time of day is read in main.ts alone', /\bDate\.now\(|\bnew Date\(\)/, ['src/main.ts']],
  ['the environment is read in main.ts alone', /\bprocess\.env\b/, ['src/main.ts']],
  [
    'SQL is spoken in the embedded stores alone',
    /\b(?:select|insert into|update|delete from)\s.*\b(?:from|values|set|where)\b/,
    sources.filter((file) => file.startsWith('src/store/embedded/')),
  ],
  ['SQLite is opened in one place', /from 'better-sqlite3'/, ['src/store/embedded/database.ts']],
  [
    'connections to others are made in outgoing/ alone',
    /\bfetch\(|from 'nodemailer'|import \{[^}]*\brequest\b[^}]*\} from 'node:https?'|\bcreateConnection\(|\bnet\.connect\(/,
    sources.filter((file) => file.startsWith('src/outgoing/')),
  ],
  [
    'Fastify is known in http/ alone',
    /from 'fastify'/,
    sources.filter((file) => file.startsWith('src/http/')),
  ],
];

for (const [what, pattern, owners] of reserved) {
  test(what, () => {
    assert.ok(
      owners.some((file) => pattern.test(read(file))),
      'the pattern finds its owner',
    );
    const others = sources.filter((file) => !owners.includes(file) && pattern.test(read(file)));
    assert.deepEqual(others, []);
  });
}

test('nothing is left to do in the sources', () => {
  assert.deepEqual(
    sources.filter((file) => /\b(?:TODO|FIXME|XXX)\b/.test(read(file))),
    [],
  );
});

function undocumented(page: string, names: readonly string[]): string[] {
  const text = read(page);
  assert.ok(names.length > 0);
  return names.filter((name) => !text.includes(`\`${name}\``));
}

test('every setting is in docs/operating.md', () => {
  assert.deepEqual(
    undocumented(
      'docs/operating.md',
      settingLeaves.map((leaf) => leaf.key),
    ),
    [],
  );
});

test('every problem code is in docs/api/platform.md', () => {
  const union = /export type ProblemCode =([^;]+);/.exec(read('src/model/problem.ts'))?.[1] ?? '';
  const codes = [...union.matchAll(/'([a-z-]+)'/g)].map(([, code]) => code as string);
  assert.deepEqual(undocumented('docs/api/platform.md', codes), []);
});

test('every platform operation is in docs/api/platform.md with its path', () => {
  const paths = Object.values(operations).map(({ route }) =>
    route.replace(' ', ' /v1').replaceAll(/:(\w+)/g, '{$1}'),
  );
  assert.deepEqual(undocumented('docs/api/platform.md', [...Object.keys(operations), ...paths]), []);
});

test('every route of the batch scope is in its page', () => {
  const urls = [...read('src/http/batch/scope.ts').matchAll(/url: '([^']+)'/g)];
  assert.deepEqual(
    undocumented(
      'docs/api/batch.md',
      urls.map(([, url]) => `/batchd${url}`),
    ),
    [],
  );
});

test('every route of the passive DNS scopes is in their page', () => {
  const routes = [...read('src/http/pdns/scope.ts').matchAll(/scope: '([^']+)',\s+url: '([^']+)'/g)];
  assert.deepEqual(
    undocumented(
      'docs/api/pdns.md',
      routes.map(([, scope, url]) => `${scope}${url}`),
    ),
    [],
  );
});

test('every command and every option is in docs/operating.md', async () => {
  const walk = (command: Command, path: string): string[] =>
    command.commands.length > 0
      ? command.commands.flatMap((child) => walk(child, `${path} ${child.name()}`))
      : [path, ...command.options.map((option) => option.long ?? '')];
  // Building the program runs no command, so it needs nothing.
  const names = [...new Set(walk(await buildProgram({ version: '' } as never), 'nameglass'))];
  const text = read('docs/operating.md');
  assert.deepEqual(
    names.filter((name) => !text.includes(name)),
    [],
  );
});

test('every runtime dependency has its line of reason', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const decisions = globSync('docs/decisions/*.md', { cwd: root }).map(read).join('\n');
  assert.deepEqual(
    Object.keys(dependencies).filter((name) => !decisions.includes(`\`${name}\``)),
    [],
  );
});

/** Families of rules that are complete: an id without a test is a failure here, elsewhere it is printed. */
const complete = [
  'GEN',
  'ACC',
  'AUTH',
  'ENR',
  'INV',
  'REC',
  'BAT',
  'DL',
  'PDNS',
  'PQ',
  'PE',
  'MON',
  'DOM',
  'TRI',
  'ESC',
  'TIME',
  'SHOT',
  'RISK',
  'FEED',
];

/** `A-01 A-02 A-03 B-07` as `A-01…A-03 B-07`, for neighbours in the list of all ids. */
function inRuns(all: readonly string[], some: readonly string[]): string {
  const runs: string[][] = [];
  for (const id of some) {
    const last = runs.at(-1);
    const [family, next] = [id.split('-')[0], all.indexOf(id)];
    if (last?.at(-1) === all[next - 1] && last?.[0]?.split('-')[0] === family) last?.push(id);
    else runs.push([id]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}…${run.at(-1)}` : run.join(' '))).join(' ');
}

test('the rules of the contract have tests', (t) => {
  const ids = [...read('docs/api/rules.md').matchAll(/^\| ([A-Z]+-[A-Z]?\d+) \|/gm)].map(
    ([, id]) => id as string,
  );
  const names = globSync('test/**/*.test.ts', { cwd: root })
    .flatMap((file) => [...read(file).matchAll(/test\(\s*[`'"]([^`'"]+)/g)])
    .map(([, name]) => (name as string).split(/ [a-z]/)[0] ?? '');
  const proved = new Set(names.flatMap((name) => name.match(/\b[A-Z]+-[A-Z]?\d\d\b/g) ?? []));
  const open = ids.filter((id) => !proved.has(id));
  t.diagnostic(
    `${ids.length - open.length} of ${ids.length} rules have a test; without one: ${inRuns(ids, open)}`,
  );
  assert.deepEqual(
    [...proved].filter((id) => !ids.includes(id)),
    [],
    'a test names a rule that does not exist',
  );
  assert.deepEqual(
    open.filter((id) => complete.includes(id.split('-')[0] ?? '')),
    [],
  );
});
