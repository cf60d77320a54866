/** The chart of `deploy/helm`: what it renders to is what Kubernetes has, and what the nodes accept. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { deployFolder, settingsOf } from '../../deploy/deploy-files.ts';
import { needsPackage } from '../../harness/debian-package.ts';
import { needsNpmTools } from '../../harness/npm-tools.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { type KubernetesObject, renderChart } from './rendered-chart.ts';

const secretSettings = {
  secret: '0123456789abcdef'.repeat(4),
  store: {
    postgres: { url: 'postgres://nameglass:a"b&c@pg1,pg2/nameglass?target_session_attrs=read-write' },
    s3: { accessKey: 'key', secretKey: 'secret' },
  },
};
const variants: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'with a secret of its own': { secretSettings },
  'with everything on': {
    secretSettings,
    image: { tag: 'v1', pullSecrets: [{ name: 'registry' }] },
    passiveDns: { enabled: true, dnstapPort: 6000, storageClassName: 'fast' },
    ingress: { enabled: true },
    networkPolicy: { enabled: true },
  },
  'with an existing secret and without an autoscaler': {
    existingSecret: 'mine',
    api: { autoscaling: { enabled: false } },
  },
};

/** A statement for each object, in which TypeScript refuses members and types that Kubernetes does not have. */
function typedStatement({ apiVersion, kind, ...rest }: KubernetesObject, index: number): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  const type = `import('kubernetes-types/${group?.split('.')[0]}/${version}').${kind}`;
  return `export const object${index}: ${type} = ${JSON.stringify({ apiVersion, kind, ...rest })};\n`;
}

function mistakesOf(t: TestContext, tools: string, objects: readonly KubernetesObject[]): string {
  const folder = temporaryDirectory(t);
  symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'objects.ts'), objects.map(typedStatement).join(''));
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--types', ''];
  const compiler = join(deployFolder, '../node_modules/.bin/tsc');
  return spawnSync(compiler, [...options, 'objects.ts'], { cwd: folder, encoding: 'utf8' }).stdout;
}

for (const [variant, values] of Object.entries(variants))
  test(`the chart ${variant} renders to objects that Kubernetes has`, (t) => {
    if (!needsPackage(t, 'golang-go', 'go')) return;
    const tools = needsNpmTools(t, 'deployment');
    if (tools === undefined) return;
    const objects = renderChart(values);
    assert.ok(objects.length >= 7);
    assert.equal(mistakesOf(t, tools, objects), '');
  });

/** All values of a member, at any depth. */
function valuesOf(node: unknown, name: string): readonly unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => [
    ...(key === name ? [value] : []),
    ...valuesOf(value, name),
  ]);
}

test('the pods of the chart get settings that the nodes accept, from objects that exist before them', (t) => {
  if (!needsPackage(t, 'golang-go', 'go')) return;
  const objects = renderChart(variants['with everything on'] ?? {});
  const named = (kind: string) => objects.filter((object) => object.kind === kind);
  const isHook = ({ metadata }: KubernetesObject) => metadata.annotations?.['helm.sh/hook'] !== undefined;
  for (const secret of named('Secret')) {
    const file = join(temporaryDirectory(t), 'nameglass.yaml');
    writeFileSync(file, (secret['stringData'] as Record<string, string>)['nameglass.yaml'] as string);
    const { settings } = readConfig({ file, environment: {}, flags: {} });
    assert.equal(settings.store.postgres.url, secretSettings.store.postgres.url);
  }
  const [map] = named('ConfigMap');
  readConfig({ environment: settingsOf(map?.['data'] as Record<string, string>), flags: {} });
  const variables = valuesOf(objects, 'env').flat() as readonly { name: string; value: string }[];
  assert.ok(variables.length > 5);
  readConfig({
    environment: settingsOf(Object.fromEntries(variables.map(({ name, value }) => [name, value]))),
    flags: {},
  });

  const available = (hook: boolean) =>
    named('Secret')
      .filter((secret) => isHook(secret) === hook)
      .map(({ metadata }) => metadata.name);
  for (const object of objects)
    for (const secret of valuesOf(object['spec'], 'secretName'))
      if (object.kind !== 'Ingress')
        assert.ok(available(isHook(object)).includes(secret as string), String(secret));
  for (const reference of valuesOf(objects, 'configMapRef'))
    assert.equal((reference as { name: string }).name, map?.metadata.name);
});

test('the chart without a secret is refused with a sentence', (t) => {
  if (!needsPackage(t, 'golang-go', 'go')) return;
  assert.throws(() => renderChart({}), /set existingSecret, or secretSettings/);
});
