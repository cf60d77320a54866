/**
 * An S3 object store of Debian for tests of the distributed stores: the RADOS Gateway of Ceph with one monitor and one storage daemon, on free ports
 * of loopback. Objects are in memory and live as long as the test.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import type { S3Options } from '../../../src/store/distributed/s3/s3-requests.ts';
import { needsPackage } from '../debian-package.ts';
import { onFreePort } from '../network/daemon.ts';
import { lastFirst, type TestScope } from '../test-scope.ts';

const packages = [
  ['ceph-common', 'ceph'],
  ['ceph-mon', 'ceph-mon'],
  ['ceph-osd', 'ceph-osd'],
  ['radosgw', 'radosgw'],
] as const;
const bucket = 'nameglass';
const [accessKey, secretKey] = ['test-access-key', 'test-secret-key'];
const startMs = 60_000;
let prefixes = 0;

export class RadosGateway {
  readonly #directory: string;
  readonly #port: number;
  readonly #daemons = new Map<string, ChildProcess>();

  constructor(directory: string, port: number) {
    this.#directory = directory;
    this.#port = port;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** With a prefix of its own: each test has its objects for itself. */
  newOptions(): S3Options {
    prefixes += 1;
    const prefix = `test-${process.pid}-${prefixes}/`;
    const { endpoint } = this;
    return { endpoint, bucket, region: 'us-east-1', pathStyle: true, accessKey, secretKey, prefix };
  }

  /** A storage daemon and its monitor, then the gateway, a user and a bucket. */
  async startAll(): Promise<void> {
    const osd = randomUUID();
    this.#run(
      'ceph-mon',
      '--mkfs',
      '-i',
      'a',
      '--monmap',
      this.#path('monmap'),
      '--keyring',
      this.#path('keyring'),
    );
    this.#spawn('ceph-mon', '-i', 'a');
    this.#run('ceph', 'osd', 'new', osd);
    this.#run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd);
    this.#spawn('ceph-osd', '-i', '0');
    await this.start();
    const keys = [`--access-key=${accessKey}`, `--secret-key=${secretKey}`];
    this.#run('radosgw-admin', 'user', 'create', '--uid=test', '--display-name=test', ...keys);
    const client = new AwsClient({ accessKeyId: accessKey, secretAccessKey: secretKey, service: 's3' });
    const made = await client.fetch(`${this.endpoint}/${bucket}`, { method: 'PUT' });
    if (!made.ok) throw new Error(`no bucket: ${await made.text()}`);
  }

  /** The gateway alone; resolves when it answers. */
  async start(): Promise<void> {
    const child = this.#spawn('radosgw', '-n', 'client.rgw');
    const untilMs = performance.now() + startMs;
    for (;;) {
      if (child.exitCode !== null || performance.now() > untilMs) throw new Error(`radosgw: ${this.#log()}`);
      const isAnswering = await fetch(this.endpoint).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isAnswering) return;
      await pause(50);
    }
  }

  /** The gateway alone, at once: its objects stay. */
  async kill(): Promise<void> {
    await this.#kill('radosgw');
  }

  async killAll(): Promise<void> {
    for (const name of [...this.#daemons.keys()].toReversed()) await this.#kill(name);
  }

  /** The keys of all objects under a prefix, in order. */
  async listKeys({ prefix }: Pick<S3Options, 'prefix'>): Promise<string[]> {
    const client = new AwsClient({ accessKeyId: accessKey, secretAccessKey: secretKey, service: 's3' });
    const query = new URLSearchParams({ 'list-type': '2', prefix });
    const answer = await client.fetch(`${this.endpoint}/${bucket}?${query.toString()}`);
    const text = await answer.text();
    if (!answer.ok || text.includes('<IsTruncated>true')) throw new Error(text);
    return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => (key as string).slice(prefix.length));
  }

  /** As somebody would who changes objects behind our back; undefined removes it. */
  async overwrite(
    { prefix }: Pick<S3Options, 'prefix'>,
    key: string,
    bytes: Uint8Array | undefined,
  ): Promise<void> {
    const client = new AwsClient({ accessKeyId: accessKey, secretAccessKey: secretKey, service: 's3' });
    const body = bytes && Buffer.from(bytes);
    const answer = await client.fetch(`${this.endpoint}/${bucket}/${prefix}${key}`, {
      method: bytes ? 'PUT' : 'DELETE',
      ...(body ? { body } : {}),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }

  #spawn(command: string, ...args: readonly string[]): ChildProcess {
    const child = spawn(command, ['-c', this.#path('ceph.conf'), '-f', ...args], { stdio: 'ignore' });
    this.#daemons.set(command, child);
    return child;
  }

  #run(command: string, ...args: readonly string[]): void {
    execFileSync(command, ['-c', this.#path('ceph.conf'), ...args], { stdio: 'ignore', timeout: startMs });
  }

  async #kill(name: string): Promise<void> {
    const child = this.#daemons.get(name);
    this.#daemons.delete(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }

  #log(): string {
    return readFileSync(this.#path('client.rgw.log'), 'utf8').slice(-5000);
  }

  #path(name: string): string {
    return join(this.#directory, name);
  }
}

/** Runs until the test is over, and takes seconds to start; undefined if the test is skipped. */
export async function startRadosGateway(t: TestContext | TestScope): Promise<RadosGateway | undefined> {
  const context = { skip: () => undefined, ...t } as TestContext;
  if (!packages.every(([name, command]) => needsPackage(context, name, command))) return undefined;
  lastFirst(t);
  const directory = mkdtempSync(join(process.env['TEST_STORES'] ?? tmpdir(), 'nameglass-ceph-'));
  let gateway: RadosGateway | undefined;
  t.after(async () => {
    await gateway?.killAll();
    rmSync(directory, { recursive: true, force: true });
  });
  const monitorPort = await onFreePort(async (port) => port);
  gateway = await onFreePort(async (port) => new RadosGateway(directory, port));
  prepare(directory, monitorPort, gateway.endpoint);
  await gateway.startAll();
  return gateway;
}

function prepare(directory: string, monitorPort: number, endpoint: string): void {
  const fsid = randomUUID();
  for (const name of ['mon', 'osd']) mkdirSync(join(directory, name));
  writeFileSync(join(directory, 'ceph.conf'), configuration(directory, fsid, monitorPort, endpoint));
  const users = [
    ['mon.', ['mon']],
    ['client.admin', ['mon', 'osd', 'mgr']],
    ['client.rgw', ['mon', 'osd']],
    ['osd.0', ['mon', 'osd']],
  ] as const;
  const keyring = users.map(([name, services]) =>
    [`[${name}]`, `key = ${newKey()}`, ...services.map((service) => `caps ${service} = "allow *"`), ''].join(
      '\n',
    ),
  );
  writeFileSync(join(directory, 'keyring'), keyring.join('\n'), { mode: 0o600 });
  const address = `[v1:127.0.0.1:${monitorPort}]`;
  const args = ['--create', '--addv', 'a', address, '--fsid', fsid, join(directory, 'monmap')];
  execFileSync('monmaptool', args, { stdio: 'ignore' });
}

/** As Ceph writes it: type, time of making, length, and 16 random bytes. */
function newKey(): string {
  const head = Buffer.alloc(12);
  head.writeUInt16LE(1, 0);
  head.writeUInt32LE(1, 2);
  head.writeUInt16LE(16, 10);
  return Buffer.concat([head, randomBytes(16)]).toString('base64');
}

/** Without authentication the gateway hangs for minutes; without a manager it works. */
function configuration(directory: string, fsid: string, monitorPort: number, endpoint: string): string {
  const settings = {
    fsid,
    mon_host: `v1:127.0.0.1:${monitorPort}`,
    mon_initial_members: 'a',
    public_addr: '127.0.0.1',
    cluster_addr: '127.0.0.1',
    ms_bind_msgr2: 'false',
    auth_cluster_required: 'cephx',
    auth_service_required: 'cephx',
    auth_client_required: 'cephx',
    keyring: join(directory, 'keyring'),
    run_dir: directory,
    admin_socket: join(directory, '$name.asok'),
    log_file: join(directory, '$name.log'),
    mon_cluster_log_file: join(directory, 'cluster.log'),
    mon_data: join(directory, 'mon'),
    osd_data: join(directory, 'osd'),
    osd_objectstore: 'memstore',
    osd_pool_default_size: '1',
    osd_pool_default_min_size: '1',
    osd_pool_default_pg_num: '1',
    osd_pool_default_pg_autoscale_mode: 'off',
    osd_crush_chooseleaf_type: '0',
    mon_allow_pool_size_one: 'true',
    mon_max_pg_per_osd: '1000',
    mon_data_avail_crit: '1',
    paxos_propose_interval: '0.02',
    paxos_min_wait: '0.01',
    rgw_rados_pool_pg_num_min: '1',
    rgw_frontends: `beast endpoint=${endpoint.slice('http://'.length)}`,
    rgw_thread_pool_size: '16',
  };
  return ['[global]', ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`), ''].join(
    '\n',
  );
}
