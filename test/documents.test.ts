/** The documents say what the code has: every setting, command, operation, parameter, route, metric, thread and path. */
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { buildProgram } from '../src/cli/run.ts';
import { readConfig } from '../src/config.ts';
import * as batchSchemas from '../src/http/batch/route-schemas.ts';
import * as pdnsSchemas from '../src/http/pdns/route-schemas.ts';
import { listOperations } from '../src/http/platform/operations.ts';
import { list, read, root, sources } from './tidy/source-tree.ts';

const operations = listOperations(readConfig({ environment: {}, flags: {} }).settings);

const pages = [...list('*.md'), ...list('docs/**/*.md')];

function undocumented(text: string, names: readonly string[]): string[] {
  assert.ok(names.length > 0);
  // `name`, `name[]`, `name=value` or `name:<field>`.
  return [...new Set(names)].filter(
    (name) => !['`', '[]', '=', ':'].some((end) => text.includes(`\`${name}${end}`)),
  );
}

test('every problem code is in docs/api/platform.md', () => {
  const union = /export type ProblemCode =([^;]+);/.exec(read('src/model/problem.ts'))?.[1] ?? '';
  const codes = [...union.matchAll(/'([a-z-]+)'/g)].map(([, code]) => code as string);
  assert.deepEqual(undocumented(read('docs/api/platform.md'), codes), []);
});

test('every platform operation is in docs/api/platform.md with its path', () => {
  const names = operations.flatMap(({ id, route }) => [
    id,
    route.replace(' ', ' /v1').replaceAll(/:(\w+)/g, '{$1}'),
  ]);
  assert.deepEqual(undocumented(read('docs/api/platform.md'), names), []);
});

const apiPages = list('docs/api/*.md')
  .filter((page) => page !== 'docs/api/rules.md')
  .map(read)
  .join('\n');

test('every request parameter of the platform API is documented', () => {
  const names = new Set(operations.flatMap(({ parameters }) => Object.keys(parameters.properties)));
  assert.ok(names.size > 100);
  assert.deepEqual(undocumented(apiPages, [...names]), []);
});

/** Members of the query and of the body, whether a schema is a value or made for an operation. */
function parametersOf(schemas: object): readonly string[] {
  const made = Object.values(schemas).map((schema) =>
    typeof schema === 'function' ? schema('id', 'summary') : schema,
  );
  return made.flatMap(({ querystring, body }) =>
    [querystring, body].flatMap((part) => Object.keys(part?.properties ?? {})),
  );
}

for (const [api, schemas, page] of [
  ['batch', batchSchemas, 'docs/api/batch.md'],
  ['passive DNS', pdnsSchemas, 'docs/api/pdns.md'],
] as const) {
  test(`every request parameter of the ${api} API is documented`, () => {
    assert.deepEqual(undocumented(read(page), parametersOf(schemas)), []);
  });
}

test('every route of the batch scope is in its page', () => {
  const urls = [...read('src/http/batch/scope.ts').matchAll(/url: '([^']+)'/g)];
  assert.deepEqual(
    undocumented(
      read('docs/api/batch.md'),
      urls.map(([, url]) => `/batchd${url}`),
    ),
    [],
  );
});

test('every route of the passive DNS scopes is in their page', () => {
  const routes = [...read('src/http/pdns/scope.ts').matchAll(/scope: '([^']+)',\s+url: '([^']+)'/g)];
  assert.deepEqual(
    undocumented(
      read('docs/api/pdns.md'),
      routes.map(([, scope, url]) => `${scope}${url}`),
    ),
    [],
  );
});

test('every command and every option is in docs/commands.md', async () => {
  const names = (command: Command, path: string): string[] =>
    command.commands.length > 0
      ? command.commands.flatMap((child) => names(child, `${path} ${child.name()}`))
      : [path, ...command.options.map((option) => option.long ?? '')];
  // Building the program runs no command, so it needs nothing.
  const all = [...new Set(names(await buildProgram({ version: '' } as never), 'nameglass'))];
  const text = read('docs/commands.md');
  assert.deepEqual(
    all.filter((name) => !text.includes(name)),
    [],
  );
});

test('every metric is in docs/monitoring.md', () => {
  const names = new Set(
    sources.flatMap((file) =>
      [...read(file).matchAll(/'(nameglass_[a-z_]+)'/g)].map(([, name]) => name as string),
    ),
  );
  assert.deepEqual(undocumented(read('docs/monitoring.md'), [...names]), []);
});

test('every runtime dependency has its reason in a decision record', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const decisions = list('docs/decisions/*.md').map(read).join('\n');
  assert.deepEqual(
    Object.keys(dependencies).filter((name) => !decisions.includes(`\`${name}\``)),
    [],
  );
});

test('every thread and every process that we start is in ARCHITECTURE.md', () => {
  const started = sources.flatMap((file) =>
    [...read(file).matchAll(/new URL\(\s*'([^']+\.ts)'|import\.meta\.dirname, '([^']+\/main\.ts)'/g)].map(
      ([, thread, program]) => normalize(join(dirname(file), thread ?? program ?? '')),
    ),
  );
  assert.ok(started.length > 5);
  const text = read('ARCHITECTURE.md');
  assert.deepEqual(
    started.filter((file) => !text.includes(`\`${file}\``)),
    [],
  );
});

test('every path that a page names exists', () => {
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(/`((?:src|test|world|bench|tools|scripts|docs|models)\/[^`\s]*)`/g)]
      .map(([, path]) => (path as string).replace(/[#:].*$/, ''))
      .filter(
        (path) => !/[<>…]|NNNN/.test(path) && globSync(path.replace(/\/$/, ''), { cwd: root }).length === 0,
      )
      .map((path) => `${page}: ${path}`),
  );
  assert.deepEqual(missing, []);
});

/** As GitHub makes anchors of headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, text]) => text as string);
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

test('every link between pages leads somewhere', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:|\/)([^)\s]+)\)/g)].flatMap(([, link]) => {
      const [path = '', anchor] = (link as string).split('#');
      const target = path === '' ? page : normalize(join(dirname(page), path));
      if (!existsSync(join(root, target))) return [`${page}: ${link}`];
      return anchor === undefined || anchorsOf(target).has(anchor) ? [] : [`${page}: ${link}`];
    }),
  );
  assert.deepEqual(broken, []);
});
