/** Blocklists as other software reads them: fetched with curl from a server, judged by the checkers of those who take them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { commandPath, needsPackage } from '../harness/debian-package.ts';
import { newUser, openStores } from '../harness/delivering.ts';
import { nameglass, serve } from '../harness/spawned.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { TestClock } from '../harness/test-clock.ts';
import { discover, watchTerm } from '../harness/watchlisted.ts';

const run = promisify(execFile);

const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.example`;
const named = ['acme-login.example', 'xn--cme-5cd.example', '_odd.-name-.example', longest];
/** What a store should never hold, and what must not break a file if it does. */
const hostile = [
  'a b.example',
  '$include /etc/passwd',
  '@',
  '*.example',
  'a;b.example',
  'a"b.example',
  'a\nb.c',
];

/** A data directory with blocked names, and the paths of its lists, which a server gives. */
async function blocked(t: TestContext) {
  const data = temporaryDirectory(t);
  const { accounts, watchlist } = openStores(data);
  const clock = new TestClock();
  const { account } = await newUser(accounts, clock);
  const monitor = await watchTerm(watchlist, account.id, clock.now());
  const ids = await discover(watchlist, account.id, monitor, [...named, ...hostile], clock.now());
  const by = { username: 'alice', atMs: clock.now() };
  const outcome = await watchlist.escalate(account.id, [...ids.values()], 'blocked', by);
  assert.equal(outcome.outcome, 'escalated');
  await watchlist.close();
  await accounts.close();
  const reset = await nameglass(['key', 'reset', 'alice', '--data', data, '--json']);
  const served = await serve(t, ['--data', data]);
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

test('blocklists that curl fetches are taken by the software that they are for', async (t) => {
  if (!needsPackage(t, 'curl', 'curl')) return;
  const list = await blocked(t);

  await t.test('a zone passes named-checkzone, and all names are in it with all below them', async (part) => {
    if (!needsPackage(part, 'bind9-utils', 'named-checkzone')) return;
    const checkzone = commandPath('named-checkzone') as string;
    const { stdout } = await run(checkzone, ['-D', '-i', 'local', 'rpz.nameglass.example', list('rpz')]);
    assert.match(stdout, /hostmaster\.localhost\. 2 3600/);
    const dumped = stdout
      .split('\n')
      .filter((line) => /\sIN\s+CNAME\s+\.$/.test(line))
      .map((line) => line.split(/\s/)[0]?.replace('.rpz.nameglass.example.', ''));
    assert.deepEqual(new Set(dumped), new Set(named.flatMap((name) => [name, `*.${name}`])));
  });

  await t.test(
    'a Suricata dataset decodes to the names, and Suricata loads it where there is one',
    async (part) => {
      const lines = readFileSync(list('suricata'), 'utf8').trimEnd().split('\n');
      assert.deepEqual(
        lines.map((line) => Buffer.from(line, 'base64').toString()),
        [...named].sort(),
      );
      const suricata = commandPath('suricata');
      if (!suricata) return part.diagnostic('no suricata here: its own reader was not asked');
      const directory = temporaryDirectory(part);
      const rules = join(directory, 'blocked.rules');
      const dataset = `dataset:isset,blocked,type string,load ${list('suricata')}`;
      writeFileSync(rules, `alert dns any any -> any any (msg:"blocked"; dns.query; ${dataset}; sid:1;)\n`);
      const { stdout } = await run(suricata, ['-T', '-S', rules, '-l', directory, '-v']);
      assert.doesNotMatch(stdout, /<Error>|E: /);
    },
  );

  await t.test('a Zeek file has a column for each field in every line', () => {
    const [head, ...rows] = readFileSync(list('zeek'), 'utf8').trimEnd().split('\n');
    assert.equal(head, '#fields\tindicator\tindicator_type\tmeta.source');
    assert.deepEqual(
      rows.map((row) => row.split('\t')),
      [...named].sort().map((name) => [name, 'Intel::DOMAIN', 'nameglass']),
    );
  });

  await t.test('a hosts file has an address and a name in every line', () => {
    const [, ...hosts] = readFileSync(list('hosts'), 'utf8').trimEnd().split('\n');
    assert.ok(hosts.every((line) => /^0\.0\.0\.0 [a-z0-9._-]+$/.test(line)));
    assert.equal(hosts.length, 2 * named.length);
  });
});
