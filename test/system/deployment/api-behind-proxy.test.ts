/** The whole suite of API tests with a real reverse proxy in front of every server, configured by the files of `packaging/`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandPath, needsPackage } from '../../harness/debian-package.ts';
import { needsClosedNetwork, startClosedNetwork } from '../../harness/network/closed-network.ts';
import { caddy, nginx, type ProxySoftware } from './proxied-server.ts';
import { proxyPorts, startProxyOfTestServers } from './proxy-of-test-servers.ts';
import { runTestShares } from './run-test-shares.ts';

const root = join(import.meta.dirname, '../../..');
/** Of some 1500: what is about the connection to the server itself. */
const skippedMax = 20;

/** As docs/install.md says: nginx does not pass trailers on, and Caddy before 2.8 ends an answer that broke off as if it were complete. */
function lacks({ command }: ProxySoftware): string {
  if (command === 'nginx') return 'trailers';
  const version = spawnSync(commandPath(command) ?? command, ['version'], { encoding: 'utf8' }).stdout;
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) === 2 && Number(minor) < 8 ? 'aborts' : '';
}

for (const proxy of [nginx, caddy])
  test(`every API test passes behind ${proxy.name}`, { timeout: 1_200_000 }, async (t) => {
    if (!needsPackage(t, proxy.debianPackage, proxy.command) || !needsClosedNetwork(t)) return;
    // Clients come from many addresses in these tests, and the proxy must see them.
    const network = await startClosedNetwork(t, { everyAddress: true });
    await startProxyOfTestServers(t, proxy, network);
    const files = globSync('test/api/**/*.test.ts', { cwd: root }).sort();
    const { tests, skipped, failures } = await runTestShares({
      files,
      processes: availableParallelism() + 1,
      sharesEach: 3,
      cwd: root,
      environment: { TEST_PROXY: proxyPorts, TEST_PROXY_LACKS: lacks(proxy) },
      scope: t,
      wrap: network,
    });
    assert.equal(failures.length, 0, failures.join('\n'));
    t.diagnostic(`${proxy.name}: ${tests - skipped.length} tests of ${files.length} files passed`);
    for (const { title, reason } of skipped) t.diagnostic(`skipped: ${title}: ${reason}`);
    assert.ok(tests > files.length);
    assert.ok(skipped.length <= skippedMax, `${skipped.length} are skipped`);
  });
