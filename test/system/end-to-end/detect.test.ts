/** From a file of passive DNS to the list of an analyst, over the command line and curl. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { canaryKey } from '../../harness/artifacts.ts';
import { needsPackage } from '../../harness/debian-package.ts';
import { nameglass, serve } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

/** Generous, for an installation may come first. */
const options = { timeout: 900_000 };
const run = promisify(execFile);

function observed(rrname: string): string {
  const seconds = Math.floor(Date.now() / 1000);
  const times = { time_first: seconds, time_last: seconds };
  return `${JSON.stringify({ rrname, rrtype: 'A', rdata: '192.0.2.1', count: 1, ...times })}\n`;
}

test('MON-21 what is imported while the server runs is on the list of new domains', options, async (t) => {
  if (!needsPackage(t, 'curl', 'curl')) return;
  const data = temporaryDirectory(t);
  const key = canaryKey();
  const user = ['--username', 'ann', '--key', key, '--permissions', 'read,triage,escalate,manage'];
  const made = await nameglass(['account', 'create', '--data', data, ...user]);
  assert.equal(made.code, 0, made.err);
  const see = async (...names: string[]) => {
    const input = names.map(observed).join('');
    const outcome = await nameglass(['import', 'rrsets', '-', '--format', 'cof', '--data', data], { input });
    assert.equal(outcome.code, 0, outcome.err);
  };
  const settings = [
    'limits.detect.newDomainsQueriesPerHour=100000',
    'limits.detect.monitorsQueriesPerHour=100000',
  ];
  const { url } = await serve(t, ['--data', data, ...settings.flatMap((setting) => ['--set', setting])]);
  const curl = async (path: string, ...more: string[]) => {
    const header = `x-api-key: ${key}`;
    const { stdout } = await run('curl', [
      '-sS',
      '--fail-with-body',
      '-H',
      header,
      ...more,
      `${url}/v1/intel-detect${path}`,
    ]);
    return JSON.parse(stdout);
  };
  const listed = async (): Promise<string[]> =>
    (await curl('/domains/new/')).watchlist_domains.map(({ domain }: { domain: string }) => domain).sort();

  await see('www.paypal-before.com.');
  const json = ['-H', 'content-type: application/json', '-d', '{"term":"paypal"}'];
  const { monitor } = await curl('/monitors/', ...json);
  assert.equal(monitor.status, 'pending');
  await see('paypal-login.com.', 'paypal.com.evil.top.', 'www.example.com.');
  const wanted = ['evil.top', 'paypal-before.com', 'paypal-login.com'];
  for (let names: string[] = []; names.join() !== wanted.join(); names = await listed()) await pause(200);
  const isDone = async () => (await curl('/monitors/')).monitors[0].status === 'completed';
  while (!(await isDone())) await pause(200);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.match(metrics, /nameglass_discovery\{kind="discovered"\} 3\n/);
});
