/** What `npm pack` makes: installed without a network, it runs without a network. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ClosedNetwork,
  needsClosedNetwork,
  startClosedNetwork,
} from '../../harness/network/closed-network.ts';
import { packedPackage, withThisNode } from '../../harness/packed-package.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { fileScope } from '../../harness/test-scope.ts';

const root = join(import.meta.dirname, '../../..');
const npmCache = join(root, 'node_modules/.cache/npm-of-package');
const answerWithinMs = 60_000;

const scope = fileScope();
const env = withThisNode();

function run(command: readonly string[], options: { input?: string; env?: NodeJS.ProcessEnv } = {}) {
  const [program = '', ...args] = command;
  const result = spawnSync(program, args, { encoding: 'utf8', env, maxBuffer: 64 << 20, ...options });
  return { ...result, text: `${result.stdout}${result.stderr}` };
}

function npmInstall(prefix: string, more: readonly string[]): readonly string[] {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--fetch-retries=1'];
  return [
    'npm',
    'install',
    '--global',
    '--prefix',
    prefix,
    '--cache',
    npmCache,
    ...quiet,
    ...more,
    packedPackage(),
  ];
}

/** Installs into an empty directory with the closed network; fills npm's cache with an open one first, if it has to. */
function install(network: ClosedNetwork): string | { readonly cannot: string } {
  const prefix = mkdtempSync(join(tmpdir(), 'nameglass-installed-'));
  scope.after(() => rmSync(prefix, { recursive: true, force: true }));
  const offline = network(npmInstall(prefix, ['--offline']));
  const first = run(offline);
  if (first.status === 0) return prefix;
  if (!first.text.includes('ENOTCACHED')) throw new Error(`npm install failed: ${first.text}`);
  const elsewhere = mkdtempSync(join(tmpdir(), 'nameglass-warming-'));
  const warmed = run(npmInstall(elsewhere, ['--prefer-offline']));
  rmSync(elsewhere, { recursive: true, force: true });
  if (warmed.status !== 0) return { cannot: `npm's cache could not be filled: ${warmed.text.slice(0, 300)}` };
  const second = run(offline);
  assert.equal(second.status, 0, second.text);
  return prefix;
}

interface Installed {
  readonly network: ClosedNetwork;
  readonly program: string;
}

let outcome: Installed | { readonly cannot: string } | undefined;

/** Once for all tests of this file. */
async function needsInstalled(t: TestContext): Promise<Installed | undefined> {
  if (!outcome) {
    if (!needsClosedNetwork(t)) return undefined;
    const network = await startClosedNetwork(scope);
    const prefix = install(network);
    outcome = typeof prefix === 'string' ? { network, program: join(prefix, 'bin/nameglass') } : prefix;
  }
  if (!('cannot' in outcome)) return outcome;
  if (process.env['CI']) throw new Error(outcome.cannot);
  t.skip(`skipped: ${outcome.cannot}`);
  return undefined;
}

test('the package has compiled code, assets and documents, and no sources, tests or benchmarks', () => {
  const files = run(['tar', '-tzf', packedPackage()]).stdout.trim().split('\n');
  for (const path of [
    'bin/nameglass.js',
    'dist/main.js',
    'dist/world.js',
    'dist/stream-worker.js',
    'dist/client.js',
    'dist/types/nameglass-client.d.ts',
    'models/default-risk.bin',
    'deploy/compose.yaml',
    'src/store/distributed/migrations/core/0001-write-ids.sql',
    'src/store/embedded/migrations/accounts/0001-accounts.sql',
    'web/dist/index.html',
    'docs/install.md',
    'LICENSE',
    'NOTICE',
    'README.md',
  ])
    assert.ok(files.includes(`package/${path}`), path);
  assert.deepEqual(
    files.filter((path) =>
      /(?<!\.d)\.tsx?$|^package\/(?:test|bench|scripts|tools|node_modules)\//.test(path),
    ),
    [],
  );
});

test('the help and the version are printed, and their CPU time is reported', async (t) => {
  const { program } = (await needsInstalled(t)) ?? {};
  if (!program) return;
  const version = run([program, 'version']);
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/, version.stderr);
  const help = run(['sh', '-c', '"$0" --help && times', program]);
  assert.match(help.stdout, /nameglass serve --demo/);
  // The last line of `times`: user and system time of the commands.
  t.diagnostic(`CPU time of --help, user and system: ${help.stdout.trim().split('\n').at(-1)}`);
});

test('on an older Node one sentence says what to do', async (t) => {
  const { program } = (await needsInstalled(t)) ?? {};
  if (!program) return;
  const older = `Object.defineProperty(process.versions, 'node', { value: '20.19.0' })`;
  const { status, stdout, stderr } = run([
    process.execPath,
    '--import',
    `data:text/javascript,${encodeURIComponent(older)}`,
    program,
    'version',
  ]);
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^nameglass: Node\.js 24 or later is needed, and this is 20\.19\.0: [^\n]+\n$/);
});

interface Running {
  readonly key: string | undefined;
  /** The body of a successful answer. */
  readonly ask: (path: string, key?: string) => string;
  readonly stop: () => Promise<void>;
}

/** Runs `serve` in the closed network until it has printed what `until` says. */
async function serve(
  t: TestContext,
  { program, network }: Installed,
  args: readonly string[],
  until: string,
): Promise<Running> {
  const startedMs = performance.now();
  const [command, ...rest] = network([program, 'serve', '--port', '0', ...args]);
  const child = spawn(command, rest, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const closed = once(child, 'close');
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes(until)) break;
    assert.ok(performance.now() - startedMs < answerWithinMs, text);
  }
  child.stdout.resume();
  const url = /ready at (\S+)/.exec(text)?.[1];
  const printedKey = /API key\s+(\S+)/.exec(text)?.[1];
  return {
    key: printedKey,
    ask: (path, key = printedKey) => {
      const curl = ['curl', '-sS', '--fail-with-body', '-H', `X-Api-Key: ${key}`, `${url}${path}`];
      const { status, text: answer } = run(network(curl));
      assert.equal(status, 0, `${path}: ${answer}`);
      return answer;
    },
    stop: async () => {
      child.kill('SIGTERM');
      assert.deepEqual(await closed, [0, null]);
    },
  };
}

/** In any zone: of some of them nobody asks for anything within minutes. */
const observations = '/pdns/v2/lookup/rdata/ip/127.80.0.0,12?limit=100';

/** Questions to every product about what the demonstration has found by itself. */
const questions = [
  '/v1/account/',
  '/v1/intel-detect/monitors/',
  '/v1/intel-detect/domains/new/?preview=1',
  '/v1/feed/domaindiscovery/?after=-3600&top=50',
  observations,
];

test('installed without a network it runs, is backed up there while it runs and later, and what is restored gives the same answers', async (t) => {
  const installed = await needsInstalled(t);
  if (!installed) return;
  const { program, network } = installed;
  const directory = temporaryDirectory(t);
  const [data, backup, restored] = ['data', 'backup', 'restored'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  const startedMs = performance.now();
  const demo = await serve(t, installed, ['--demo', '--data', data], 'API reference');
  demo.ask('/v1/account/');
  t.diagnostic(`first answer after ${Math.round(performance.now() - startedMs)} ms`);
  assert.match(demo.ask('/ui/'), /<title>Nameglass/);
  const domain = await observedDomain(demo);
  const secret = join(directory, 'secret');
  const succeeds = (...args: readonly string[]) => {
    const { status, text } = run(network([program, ...args]));
    assert.equal(status, 0, text);
  };
  const [hotBackup, hotRestored] = [`${backup}-while-running`, `${restored}-while-running`];
  succeeds('backup', hotBackup, '--data', data, '--secret-to', secret);
  await demo.stop();

  // The demonstration went on after the backup: what it had answered before must be there.
  succeeds('restore', hotBackup, '--data', hotRestored, '--secret-from', secret);
  succeeds('verify', 'all', '--data', hotRestored);
  const then = await serve(t, installed, ['--role', 'api', '--data', hotRestored], 'ready at');
  assert.ok(then.ask(observations, demo.key).includes(`${domain}.`));
  then.ask('/v1/account/', demo.key);
  await then.stop();

  succeeds('backup', backup, '--data', data, '--secret-to', secret);
  succeeds('restore', backup, '--data', restored, '--secret-from', secret);
  const answers: string[][] = [];
  for (const from of [data, restored]) {
    const server = await serve(t, installed, ['--role', 'api', '--data', from], 'ready at');
    const given = questions.map((path) => server.ask(path, demo.key));
    given.push(server.ask(`/v1/intel-investigate/?domain=${domain}`, demo.key));
    answers.push(given.map(withoutAddress));
    await server.stop();
  }
  assert.deepEqual(answers[1], answers[0]);
});

/** A domain of the simulated Internet that a sensor has reported, once there is one. */
async function observedDomain({ ask }: Running): Promise<string> {
  for (const startedMs = performance.now(); ; await pause(1000)) {
    const [, domain] = /"rrname":"(?:[^"]+\.)?([^."]+\.[^."]+)\."/.exec(ask(observations)) ?? [];
    if (domain !== undefined) return domain;
    assert.ok(performance.now() - startedMs < answerWithinMs, 'nothing was observed');
  }
}

/** Answers have links with the address of the server. */
function withoutAddress(answer: string): string {
  return answer.replaceAll(/127\.0\.0\.1:\d+/g, 'SERVER');
}
