/**
 * A reverse proxy with a file of `packaging/` in front of every server that the API tests start: what it gets at a port it passes on to the
 * same port of 127.0.0.1. Of the file only addresses change. TLS has tests of its own.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandPath } from '../../harness/debian-package.ts';
import type { ClosedNetwork } from '../../harness/network/closed-network.ts';
import { startDaemon } from '../../harness/network/daemon.ts';
import { tlsCertificate } from '../../harness/network/tls-certificate.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import type { TestScope } from '../../harness/test-scope.ts';
import { adapted, caddy, nginx, nginxArguments, type ProxySoftware, packaging } from './proxied-server.ts';

const [firstPort, portCount] = [20_000, 600];
const lastPort = firstPort + portCount - 1;
const ports = Array.from({ length: portCount }, (_, index) => firstPort + index);
/** For clients of either version of addresses; the servers are at 127.0.0.1. */
const [host, hostV6] = ['127.0.0.2', '::1'];

/** What `TEST_PROXY` is for the tests. */
export const proxyPorts = `${host}:${firstPort}-${lastPort}`;

function nginxSite(directory: string): string {
  const upstreams = ports.map((port) => `upstream nameglass_${port} { server 127.0.0.1:${port}; $2 }`);
  return adapted(packaging('nginx/nameglass.conf'), [
    [/listen 80;\n +listen \[::\]:80;/, `listen unix:${directory}/plain.sock;`],
    ['listen 443 ssl http2;', `listen ${host}:${firstPort}-${lastPort};`],
    ['listen [::]:443 ssl http2;', `listen [${hostV6}]:${firstPort}-${lastPort};`],
    [/^upstream nameglass \{\s+(server 127\.0\.0\.1:8080;)([^}]*)\}/m, upstreams.join('\n')],
    ['proxy_pass http://nameglass;', 'proxy_pass http://nameglass_$server_port;'],
    [/\/etc\/letsencrypt\/live\/names\.example\.org\/(?:fullchain)\.pem/, `${directory}/cert.pem`],
    [/\/etc\/letsencrypt\/live\/names\.example\.org\/(?:privkey)\.pem/, `${directory}/key.pem`],
  ]);
}

/** Caddy's own form of the file, with one server for each port. */
function caddyServers(directory: string): string {
  const file = join(directory, 'Caddyfile');
  writeFileSync(
    file,
    adapted(packaging('caddy/Caddyfile'), [
      [/^names\.example\.org \{/m, 'http://:65432 {'],
      ['127.0.0.1:8080', '127.0.0.1:65432'],
    ]),
  );
  const args = ['adapt', '--config', file, '--adapter', 'caddyfile'];
  const one = JSON.parse(execFileSync(commandPath('caddy') ?? 'caddy', args, { stdio: 'pipe' }).toString());
  const server = JSON.stringify(one.apps.http.servers.srv0);
  const servers = ports.map((port) => {
    const listen = JSON.stringify([`${host}:${port}`, `[${hostV6}]:${port}`]);
    const text = adapted(server, [
      ['"listen":[":65432"]', `"listen":${listen}`],
      ['127.0.0.1:65432', `127.0.0.1:${port}`],
    ]);
    return [`port${port}`, JSON.parse(text)];
  });
  return JSON.stringify({
    admin: { disabled: true },
    apps: { http: { servers: Object.fromEntries(servers) } },
  });
}

const configurations = new Map<ProxySoftware, (directory: string) => readonly string[]>([
  [nginx, (directory) => nginxArguments(directory, nginxSite(directory))],
  [
    caddy,
    (directory) => {
      const file = join(directory, 'caddy.json');
      writeFileSync(file, caddyServers(directory));
      return ['run', '--config', file];
    },
  ],
]);

/** Runs in the network until the test is over. */
export async function startProxyOfTestServers(
  scope: TestScope,
  proxy: ProxySoftware,
  network: ClosedNetwork,
): Promise<void> {
  const directory = temporaryDirectory(scope);
  const { key, cert } = await tlsCertificate('localhost');
  writeFileSync(join(directory, 'key.pem'), key);
  writeFileSync(join(directory, 'cert.pem'), cert);
  const configured = configurations.get(proxy)?.(directory) ?? [];
  const [command, ...args] = network([commandPath(proxy.command) ?? proxy.command, ...configured]);
  await startDaemon(scope, { command, args: () => args, started: proxy.started }, async () => firstPort);
}
