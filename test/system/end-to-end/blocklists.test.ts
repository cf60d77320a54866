/** Blocklists in other software: fetched from a server with curl and checked by the software that uses them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { commandPath, needsPackage } from '../../harness/debian-package.ts';
import { newUser } from '../../harness/fixtures/delivery-fixture.ts';
import { discover, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { nameglass, serve } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { fileScope, type TestScope } from '../../harness/test-scope.ts';

const run = promisify(execFile);

const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.example`;
const named = ['acme-login.example', 'xn--cme-5cd.example', '_odd.-name-.example', longest];
/** Names that a store should never hold, and that must not break a list if it does. */
const hostile = [
  'a b.example',
  '$include /etc/passwd',
  '@',
  '*.example',
  'a;b.example',
  'a"b.example',
  'a\nb.c',
];

/** Fetches the lists of a server with blocked names; the result maps a format to its file. */
async function blocked(scope: TestScope) {
  const data = temporaryDirectory(scope);
  const clock = new TestClock();
  const stores = openEmbeddedStores({ data, clock });
  const { accounts, monitors, watchlist, escalations } = stores;
  const { account } = await newUser(accounts, clock);
  const monitorId = await watchTerm(monitors, account.id, clock.now());
  const domains = [...named, ...hostile];
  const ids = await discover(watchlist, { accountId: account.id, monitorId, domains, atMs: clock.now() });
  const by = { username: 'alice', atMs: clock.now() };
  const outcome = await escalations.escalateDomains(account.id, [...ids.values()], 'blocked', by);
  assert.equal(outcome.outcome, 'escalated');
  await stores.close();
  const reset = await nameglass(['key', 'reset', 'alice', '--data', data, '--json']);
  const served = await serve(scope, ['--data', data]);
  const header = `x-api-key: ${JSON.parse(reset.out).api_key}`;
  const curl = async (...words: string[]) => (await run('curl', ['-sSf', ...words])).stdout;
  const answer = await curl('-H', header, `${served.url}/v1/intel-detect/blocklists/`);
  const { blocklists } = JSON.parse(answer) as { blocklists: { format: string; url: string }[] };
  const fetched = new Map<string, string>();
  for (const list of blocklists) {
    const path = join(data, list.format);
    await curl('--compressed', '-o', path, list.url);
    fetched.set(list.format, path);
  }
  await served.stop();
  return (format: string) => fetched.get(format) as string;
}

const scope = fileScope();
let lists: ReturnType<typeof blocked> | undefined;

/** Fetches the lists once for all tests of the file. Undefined where the test is skipped. */
async function fetchedLists(t: TestContext) {
  return needsPackage(t, 'curl', 'curl') ? (lists ??= blocked(scope)) : undefined;
}

test('the RPZ zone passes named-checkzone and contains all names and their subdomains', async (t) => {
  const list = await fetchedLists(t);
  if (!list) return;
  if (!needsPackage(t, 'bind9-utils', 'named-checkzone')) return;
  const checkzone = commandPath('named-checkzone') as string;
  const { stdout } = await run(checkzone, ['-D', '-i', 'local', 'rpz.nameglass.example', list('rpz')]);
  assert.match(stdout, /hostmaster\.localhost\. \d{10} 300 60 604800 300/);
  const dumped = stdout
    .split('\n')
    .filter((line) => /\sIN\s+CNAME\s+\.$/.test(line))
    .map((line) => line.split(/\s/)[0]?.replace('.rpz.nameglass.example.', ''));
  assert.deepEqual(new Set(dumped), new Set(named.flatMap((name) => [name, `*.${name}`])));
});

test('the Suricata dataset decodes to the names, and Suricata loads it if installed', async (t) => {
  const list = await fetchedLists(t);
  if (!list) return;
  const lines = readFileSync(list('suricata'), 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => Buffer.from(line, 'base64').toString()),
    [...named].sort(),
  );
  const suricata = commandPath('suricata');
  if (!suricata) return t.diagnostic('suricata is not installed: loading was not tested');
  const directory = temporaryDirectory(t);
  const rules = join(directory, 'blocked.rules');
  const dataset = `dataset:isset,blocked,type string,load ${list('suricata')}`;
  writeFileSync(rules, `alert dns any any -> any any (msg:"blocked"; dns.query; ${dataset}; sid:1;)\n`);
  const { stdout } = await run(suricata, ['-T', '-S', rules, '-l', directory, '-v']);
  assert.doesNotMatch(stdout, /<Error>|E: /);
});

test('every line of the Zeek file has a column for each field', async (t) => {
  const list = await fetchedLists(t);
  if (!list) return;
  const [head, ...rows] = readFileSync(list('zeek'), 'utf8').trimEnd().split('\n');
  assert.equal(head, '#fields\tindicator\tindicator_type\tmeta.source\tmeta.desc\tmeta.url');
  assert.deepEqual(
    rows.map((row) => row.split('\t').slice(0, 4)),
    [...named].sort().map((name) => [name, 'Intel::DOMAIN', 'nameglass', 'blocked; resembles acme']),
  );
  assert.ok(
    rows.every((row) => /^http:\/\/127\.0\.0\.1:\d+\/ui\/domain\/\S+$/.test(row.split('\t')[4] ?? '')),
  );
});

test('every line of the hosts file has an address and a name', async (t) => {
  const list = await fetchedLists(t);
  if (!list) return;
  const [, ...hosts] = readFileSync(list('hosts'), 'utf8').trimEnd().split('\n');
  assert.ok(hosts.every((line) => /^0\.0\.0\.0 [a-z0-9._-]+$/.test(line)));
  assert.equal(hosts.length, 2 * named.length);
});
