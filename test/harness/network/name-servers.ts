/** BIND, Knot DNS, NSD and Unbound as secondaries of a response policy zone, on loopback. */
import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { commandPath } from '../debian-package.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import type { TestScope } from '../test-scope.ts';
import { startDaemon } from './daemon.ts';
import type { RpzPrimary } from './rpz-primary.ts';

const run = promisify(execFile);

/** What names below `example` are where nothing blocks them. */
export const usualAddress = '192.0.2.80';

const exampleZone = [
  '$TTL 60',
  '@ SOA localhost. hostmaster.localhost. 1 60 60 3600 1',
  '@ NS localhost.',
  `* A ${usualAddress}`,
  `@ A ${usualAddress}`,
  '',
].join('\n');

function directoryOf(scope: TestScope): string {
  const directory = temporaryDirectory(scope);
  // Some of them give up root.
  chmodSync(directory, 0o777);
  writeFileSync(join(directory, 'example.zone'), exampleZone);
  return directory;
}

const keyClause = ({ keyName }: RpzPrimary, secret: string) =>
  `key "${keyName}" { algorithm hmac-sha256; secret "${secret}"; };`;

export async function startBind(
  scope: TestScope,
  primary: RpzPrimary,
  { port, secret = primary.secret }: { readonly port: number; readonly secret?: string },
): Promise<void> {
  const directory = directoryOf(scope);
  const file = join(directory, 'named.conf');
  writeFileSync(
    file,
    `options {
  directory "${directory}"; pid-file "${directory}/named.pid"; session-keyfile "${directory}/session.key";
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion yes; dnssec-validation no; empty-zones-enable no; notify no;
  response-policy { zone "${primary.zone}"; } min-update-interval 0 qname-wait-recurse no;
};
controls { };
${keyClause(primary, secret)}
zone "example" { type primary; file "${directory}/example.zone"; };
zone "${primary.zone}" {
  type secondary; file "${directory}/rpz.zone"; masterfile-format text;
  primaries { 127.0.0.1 port ${primary.port} key "${primary.keyName}"; };
};
`,
  );
  await startDaemon(
    scope,
    { command: 'named', args: () => ['-g', '-c', file], started: 'running' },
    async () => port,
  );
}

export async function startKnot(scope: TestScope, primary: RpzPrimary, port: number): Promise<void> {
  const directory = directoryOf(scope);
  const file = join(directory, 'knot.conf');
  writeFileSync(
    file,
    `server:
  rundir: "${directory}"
  listen: 127.0.0.1@${port}
log:
  - target: stderr
    any: info
database:
  storage: "${directory}"
key:
  - id: ${primary.keyName}
    algorithm: hmac-sha256
    secret: ${primary.secret}
remote:
  - id: nameglass
    address: 127.0.0.1@${primary.port}
    key: ${primary.keyName}
acl:
  - id: nameglass
    address: 127.0.0.1
    key: ${primary.keyName}
    action: notify
template:
  - id: default
    storage: "${directory}"
zone:
  - domain: ${primary.zone}
    master: nameglass
    acl: nameglass
`,
  );
  await startDaemon(
    scope,
    { command: 'knotd', args: () => ['-c', file], started: 'server started' },
    async () => port,
  );
}

export async function startNsd(scope: TestScope, primary: RpzPrimary, port: number): Promise<void> {
  const directory = directoryOf(scope);
  const file = join(directory, 'nsd.conf');
  writeFileSync(
    file,
    `server:
  ip-address: 127.0.0.1@${port}
  username: ""
  chroot: ""
  database: ""
  server-count: 1
  zonesdir: "${directory}"
  pidfile: "${directory}/nsd.pid"
  xfrdfile: "${directory}/xfrd.state"
  xfrdir: "${directory}"
  zonelistfile: "${directory}/zone.list"
remote-control:
  control-enable: no
key:
  name: "${primary.keyName}"
  algorithm: hmac-sha256
  secret: "${primary.secret}"
zone:
  name: "example"
  zonefile: "example.zone"
zone:
  name: "${primary.zone}"
  zonefile: "rpz.zone"
  request-xfr: 127.0.0.1@${primary.port} ${primary.keyName}
  allow-notify: 127.0.0.1 ${primary.keyName}
`,
  );
  await startDaemon(
    scope,
    { command: 'nsd', args: () => ['-d', '-c', file, '-V', '2'], started: 'nsd started' },
    async () => port,
  );
}

/** `authority` serves the zone `example`. */
export async function startUnbound(
  scope: TestScope,
  primary: RpzPrimary,
  { port, authority }: { readonly port: number; readonly authority: number },
): Promise<void> {
  const directory = directoryOf(scope);
  const file = join(directory, 'unbound.conf');
  writeFileSync(
    file,
    `server:
  interface: 127.0.0.1
  port: ${port}
  directory: "${directory}"
  pidfile: "${directory}/unbound.pid"
  username: ""
  chroot: ""
  use-syslog: no
  verbosity: 1
  do-not-query-localhost: no
  cache-max-ttl: 0
  cache-max-negative-ttl: 0
  module-config: "respip iterator"
remote-control:
  control-enable: no
rpz:
  name: "${primary.zone}"
  primary: 127.0.0.1@${primary.port}
  zonefile: "rpz.zone"
stub-zone:
  name: "example"
  stub-addr: 127.0.0.1@${authority}
`,
  );
  await startDaemon(
    scope,
    { command: 'unbound', args: () => ['-d', '-c', file], started: 'start of service' },
    async () => port,
  );
}

/** `authority` serves the zone `example`. It polls, since it cannot be notified. */
export async function startRecursor(
  scope: TestScope,
  primary: RpzPrimary,
  { port, authority }: { readonly port: number; readonly authority: number },
): Promise<void> {
  const directory = directoryOf(scope);
  writeFileSync(
    join(directory, 'rpz.lua'),
    `rpzPrimary({"127.0.0.1:${primary.port}"}, "${primary.zone}", {
  tsigname = "${primary.keyName}", tsigalgo = "hmac-sha256", tsigsecret = "${primary.secret}", refresh = 1,
})
`,
  );
  writeFileSync(
    join(directory, 'recursor.conf'),
    `daemon=no
write-pid=no
threads=1
local-address=127.0.0.1
local-port=${port}
socket-dir=${directory}
lua-config-file=${directory}/rpz.lua
forward-zones=example=127.0.0.1:${authority}
dont-query=
dnssec=off
security-poll-suffix=
disable-packetcache=yes
max-cache-ttl=1
loglevel=6
`,
  );
  await startDaemon(
    scope,
    { command: 'pdns_recursor', args: () => [`--config-dir=${directory}`], started: 'multiplexer' },
    async () => port,
  );
}

/** The status and the rdata of an answer, such as `NOERROR 192.0.2.80`. */
export async function dig(port: number, ...words: readonly string[]): Promise<string> {
  const args = ['@127.0.0.1', '-p', String(port), '+tries=1', '+time=2', ...words];
  const { stdout } = await run(commandPath('dig') ?? 'dig', args).catch((error: { stdout?: string }) => ({
    stdout: error.stdout ?? '',
  }));
  const status = /status: ([A-Z]+)/.exec(stdout)?.[1] ?? 'no answer';
  const rdata = stdout
    .split('\n')
    .filter((line) => /^[^;].*\sIN\s+(?:A|CNAME)\s/.test(line))
    .map((line) => line.split(/\s+/).at(-1));
  return [status, ...rdata].join(' ');
}

/** The test's own time limit ends it if that never happens. */
export async function untilDigSays(
  expected: string,
  port: number,
  ...words: readonly string[]
): Promise<void> {
  while ((await dig(port, ...words)) !== expected) await pause(100);
}
