/** `deploy/compose.yaml` agrees with itself, with the files that it names and with our settings. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { composeFile, deployFolder, environmentFile, readDeployed, settingsOf } from './deploy-files.ts';

const { services, secrets, volumes, networks } = composeFile();
const all = Object.entries(services);
const nodes = all.filter(([, { build }]) => build !== undefined);
const nginx = readDeployed('nginx/nameglass-cluster.conf');

const settingsOfNode = (name: string) =>
  readConfig({ environment: settingsOf(services[name]?.environment ?? {}), flags: {} }).settings;

const addressOf = (name: string): string | undefined => {
  const attached = services[name]?.networks ?? [];
  return 'nodes' in attached ? attached['nodes']?.ipv4_address : undefined;
};

test('every setting of the nodes exists and has a valid value', () => {
  assert.deepEqual(
    nodes.map(([name]) => [name, settingsOfNode(name).role, settingsOfNode(name).store.kind]),
    [
      ['api-1', 'api', 'distributed'],
      ['api-2', 'api', 'distributed'],
      ['worker-1', 'worker', 'distributed'],
      ['worker-2', 'worker', 'distributed'],
      ['migrate', 'all', 'distributed'],
    ],
  );
});

test('every file that the services name exists, or is made by make-secrets.sh', () => {
  const script = readDeployed('make-secrets.sh');
  const named = [
    ...nodes.flatMap(([, { build }]) => (build ? [join(build.context, build.dockerfile)] : [])),
    ...all.flatMap(([, { volumes: mounts = [] }]) =>
      mounts.filter((mount) => mount.startsWith('.')).map((mount) => mount.split(':')[0] as string),
    ),
    ...all.flatMap(([, { env_file = [] }]) => env_file),
    ...Object.values(secrets).map(({ file }) => file),
  ].map((path) => path.replace(/^\.\//, ''));
  assert.ok(named.length > 8);
  assert.deepEqual(
    named.filter((path) =>
      path.startsWith('secrets/')
        ? !new RegExp(`(?:>|-out |-keyout )${path.replaceAll('.', '\\.')}(?![\\w.])`).test(script)
        : !existsSync(join(deployFolder, path)),
    ),
    [],
  );
});

test('every service, secret, volume and network that a service names is declared', () => {
  const missing = all.flatMap(([name, service]) => {
    const namesOf = (named: object = []): readonly string[] =>
      Array.isArray(named) ? named : Object.keys(named);
    const mounted = (service.volumes ?? []).filter((mount) => !mount.startsWith('.'));
    return [
      ...namesOf(service.depends_on).filter((other) => !(other in services)),
      ...namesOf(service.secrets).filter((secret) => !(secret in secrets)),
      ...namesOf(service.networks).filter((network) => !(network in networks)),
      ...mounted.map((mount) => mount.split(':')[0] as string).filter((volume) => !(volume in volumes)),
    ].map((what) => `${name}: ${what}`);
  });
  assert.deepEqual(missing, []);
});

test('nodes start after the tables and the bucket are made', () => {
  for (const [name, { depends_on, command }] of nodes)
    if (command === undefined)
      assert.deepEqual(
        depends_on,
        {
          migrate: { condition: 'service_completed_successfully' },
          bucket: { condition: 'service_completed_successfully' },
        },
        name,
      );
  assert.deepEqual(services['migrate']?.command, ['store', 'migrate']);
});

test('the ports of the nodes, their health checks and nginx agree', () => {
  const answering = nodes.filter(([, { command }]) => command === undefined);
  for (const [name, { healthcheck, expose }] of answering) {
    const { port } = settingsOfNode(name).http;
    assert.match(healthcheck?.test.at(-1) ?? '', new RegExp(`http://127\\.0\\.0\\.1:${port}/readyz'`), name);
    assert.deepEqual(expose ?? [String(port)], [String(port)], name);
  }
  const upstreams = [...nginx.matchAll(/^ {2}server (\S+?):(\d+)/gm)];
  assert.deepEqual([...new Set(upstreams.map(([, host]) => host))], ['api-1', 'api-2']);
  for (const [, host = '', port] of upstreams) assert.deepEqual(services[host]?.expose, [port], host);
  const listening = [...nginx.matchAll(/^ {2}listen (\d+)/gm)].map(([, port]) => `${port}:${port}`);
  assert.deepEqual(services['nginx']?.ports, listening);
});

test('nginx knows the addresses of the nodes, and they trust its address alone', () => {
  assert.deepEqual(
    services['nginx']?.extra_hosts,
    ['api-1', 'api-2'].map((name) => `${name}:${addressOf(name)}`),
  );
  for (const [name] of nodes)
    assert.deepEqual(settingsOfNode(name).http.trustProxy, [addressOf('nginx')], name);
});

test('the nodes and the service that makes the bucket ask the S3 server at its port', () => {
  const url = `http://s3${services['s3']?.environment?.['VGW_PORT']}`;
  for (const [name] of nodes) {
    const { endpoint, bucket, region } = settingsOfNode(name).store.s3;
    assert.equal(endpoint, url, name);
    assert.ok(services['bucket']?.command?.[0]?.includes(`aws:amz:${region}:s3`));
    assert.ok(services['bucket']?.command?.[0]?.includes(`${url}/${bucket})`));
  }
});

test('no password is in the file or in .env', () => {
  const credentials = /PASSWORD|SECRET|ACCESS_KEY|_URL$/;
  const plain = all.flatMap(([name, { environment = {} }]) =>
    Object.keys(environment)
      .filter((variable) => credentials.test(variable) && !variable.endsWith('_FILE'))
      .map((variable) => `${name}: ${variable}`),
  );
  assert.deepEqual(
    plain.filter((one) => !one.endsWith('NAMEGLASS_HTTP_PUBLIC_URL')),
    [],
  );
  assert.deepEqual(Object.keys(environmentFile('.env.example')), ['NAMEGLASS_HOST']);
});

test('every image of others has a version', () => {
  const unversioned = all.filter(([, { build, image }]) => !build && !/:v?\d[\d.]*$/.test(image));
  assert.deepEqual(unversioned, []);
});
