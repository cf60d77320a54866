/** The API description in the hands of a linter and of two generators, whose clients call every GET operation of a running demonstration. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { type Json, operationsIn, resolved } from '../../api/openapi/description.ts';
import { needsNpmTools } from '../../harness/npm-tools.ts';
import { serve } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { fileScope } from '../../harness/test-scope.ts';
import { type Demo, demoRequests, printedDemo } from './demo-requests.ts';
import {
  answerComparison,
  functionsOf,
  type GeneratedCall,
  heyApiProgram,
  openapiFetchProgram,
} from './generated-program.ts';

const run = promisify(execFile);
const timeout = { timeout: 900_000 };
const config = join(import.meta.dirname, '../../tools-of-others/openapi/redocly.yaml');

/** The two clients are of one account, which may list these once an hour, and poll a feed twice a minute. */
const limitsOfBothClients = [
  ...['monitors', 'newDomains', 'watchedDomains'].map((list) => `limits.detect.${list}QueriesPerHour=2`),
  'limits.feed.queriesPerMinute=4',
];

/** Operations that a demonstration which has just begun cannot answer with success. */
const refused: Readonly<Record<string, { readonly status: number; readonly because: string }>> = {
  getFile: {
    status: 403,
    because: 'the first archive is made when a full hour is over, so nothing has its link',
  },
};

const scope = fileScope();
let started: Promise<Running> | undefined;

interface Running extends Demo {
  readonly description: Json;
  readonly calls: readonly GeneratedCall[];
}

/** As a newcomer starts it, once for all tests. */
async function startDemo(): Promise<Running> {
  const args = ['--demo', '--data', temporaryDirectory(scope), '--set', ...limitsOfBothClients];
  const demo = await printedDemo(await serve(scope, args));
  const description: Json = await (await fetch(`${demo.url}/openapi.json`)).json();
  const { byOperation, pdnsPath } = await demoRequests(demo);
  const calls = operationsIn(description)
    .filter(({ method }) => method === 'GET')
    .map(({ id, path, operation }) => {
      const values: Record<string, string> = { ...pdnsPath(path), ...byOperation[id]?.path };
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
      for (const name of names)
        assert.ok(values[name] !== undefined, `no value is known for {${name}} of ${id}`);
      const inPath = Object.fromEntries(names.map((name) => [name, values[name] as string]));
      const types = Object.keys(resolved(description, operation.responses['200']).content);
      // Version 1 of passive DNS calls its lines application/json too.
      const contentType = types.find((type) => type === 'application/x-ndjson') ?? types[0] ?? '';
      const request = { ...byOperation[id], ...(names.length > 0 ? { path: inPath } : {}) };
      return { id, path, contentType, request };
    });
  return { ...demo, description, calls };
}

const running = () => (started ??= startDemo());

interface Workshop {
  readonly directory: string;
  /** Runs a tool of the set in the directory. */
  readonly tool: (name: string, ...args: string[]) => Promise<string>;
}

/** The description in a directory of its own, where the tools are installed. */
async function workshop(t: TestContext): Promise<Workshop | undefined> {
  const tools = needsNpmTools(t, 'openapi');
  if (tools === undefined) return undefined;
  const directory = temporaryDirectory(t);
  const { description } = await running();
  symlinkSync(join(tools, 'node_modules'), join(directory, 'node_modules'));
  writeFileSync(join(directory, 'openapi.json'), JSON.stringify(description));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.ts', 'generated'] }),
  );
  const tool = async (name: string, ...args: string[]) => {
    const program = join(tools, 'node_modules/.bin', name);
    const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    try {
      const { stdout } = await run(process.execPath, [program, ...args], {
        cwd: directory,
        env: environment,
      });
      return stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      return assert.fail(`${name} failed:\n${stdout}${stderr}`.slice(0, 4000));
    }
  };
  return { directory, tool };
}

const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'nodenext',
  strict: true,
  skipLibCheck: true,
  outDir: 'compiled',
  rootDir: '.',
  types: [],
};

/** Runs the compiled program; what it prints are the statuses by operation. */
async function assertAllAnswered(
  { directory, tool }: Workshop,
  calls: readonly GeneratedCall[],
): Promise<void> {
  await tool('tsc', '-p', '.');
  const { stdout } = await run(process.execPath, [join(directory, 'compiled/program.js')]);
  const statuses = JSON.parse(stdout) as Record<string, number>;
  assert.ok(calls.length > 80);
  const unexpected = calls.filter(({ id }) => statuses[id] !== (refused[id]?.status ?? 200));
  assert.deepEqual(
    unexpected.map(({ id, request }) => ({ id, status: statuses[id], request })),
    [],
  );
}

test('redocly finds no error and nothing to warn of', timeout, async (t) => {
  const shop = await workshop(t);
  if (!shop) return;
  const report = await shop.tool('redocly', 'lint', 'openapi.json', '--config', config, '--format', 'json');
  const { totals } = JSON.parse(report.slice(report.indexOf('{'))) as {
    totals: { errors: number; warnings: number };
  };
  assert.deepEqual([totals.errors, totals.warnings], [0, 0], report.slice(0, 2000));
});

test(
  'a client of openapi-typescript and openapi-fetch calls every GET operation of a running demonstration',
  timeout,
  async (t) => {
    const shop = await workshop(t);
    if (!shop) return;
    const { calls, url, key } = await running();
    await shop.tool('openapi-typescript', 'openapi.json', '-o', 'description.ts');
    const program = openapiFetchProgram(calls, { url, key });
    writeFileSync(
      join(shop.directory, 'program.ts'),
      `declare const process: { exit(code: number): void };\n${program}`,
    );
    await assertAllAnswered(shop, calls);
  },
);

test('the types of our own client are those of the description', timeout, async (t) => {
  const shop = await workshop(t);
  if (!shop) return;
  await shop.tool('openapi-typescript', 'openapi.json', '-o', 'description.ts');
  const answers = join(import.meta.dirname, '../../../src/client/answers.ts');
  writeFileSync(join(shop.directory, 'answers.ts'), readFileSync(answers));
  writeFileSync(join(shop.directory, 'comparison.ts'), answerComparison);
  await shop.tool('tsc', '-p', '.', '--noEmit');
});

test(
  'a client of @hey-api/openapi-ts calls every GET operation of a running demonstration',
  timeout,
  async (t) => {
    const shop = await workshop(t);
    if (!shop) return;
    const { calls, url, key } = await running();
    mkdirSync(join(shop.directory, 'generated'));
    await shop.tool('openapi-ts', '-i', 'openapi.json', '-o', 'generated', '-c', '@hey-api/client-fetch');
    const functions = functionsOf(readFileSync(join(shop.directory, 'generated/sdk.gen.ts'), 'utf8'));
    const program = heyApiProgram(calls, functions, { url, key });
    writeFileSync(
      join(shop.directory, 'program.ts'),
      `declare const process: { exit(code: number): void };\n${program}`,
    );
    await assertAllAnswered(shop, calls);
  },
);
