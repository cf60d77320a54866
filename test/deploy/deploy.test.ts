/** The balancers, the unit and the chart of `deploy/` agree with the server. Real software checks them in `test/system/deployment/`. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { deployFolder, environmentFile, readDeployed, settingsOf } from './deploy-files.ts';

const root = join(deployFolder, '..');
const source = (file: string): string => readFileSync(join(root, file), 'utf8');
const files = globSync('**/*.{yaml,conf,cfg,tpl,service}', { cwd: deployFolder });

test('every path that a health check asks is a route of the server', () => {
  const routes = source('src/http/front/operator-routes.ts');
  const asked = files.flatMap((file) =>
    [
      ...readDeployed(file).matchAll(
        /httpGet: \{path: (\S+),|meth GET uri (\S+)|127\.0\.0\.1:8080(\/[^']*)'/g,
      ),
    ].map(([, ...paths]) => paths.find(Boolean) as string),
  );
  assert.deepEqual([...new Set(asked)].sort(), ['/healthz', '/readyz']);
  for (const path of asked) assert.ok(routes.includes(`'${path}',`), path);
});

test('where one node has passive DNS, the line for it of each balancer sends every path of it there', () => {
  const own = [...source('src/http/pdns/scope.ts').matchAll(/scope: '(\/\w+)'/g)].map(
    ([, path]) => path ?? '',
  );
  const vendor = [...source('src/http/compat/words.ts').matchAll(/'\/pdns\/v2', '(\/\w+)/g)].map(
    ([, path]) => path ?? '',
  );
  const paths = [...new Set([...own, ...vendor, ...vendor.map((path) => `/vendor${path}`)])];
  assert.ok(paths.length > 4);
  const patternIn = (file: string, pattern: RegExp) =>
    new RegExp(pattern.exec(readDeployed(file))?.[1] ?? 'none');
  const balancers = {
    nginx: patternIn('nginx/nameglass-cluster.conf', /^ {2}# ~(\S+) nameglass_passive_dns;/m),
    haproxy: patternIn('haproxy/haproxy.cfg', /^ {2}# use_backend passive-dns if \{ path_reg (\S+) \}/m),
    chart: new RegExp(
      [...readDeployed('helm/nameglass/templates/ingress.yaml').matchAll(/"(\/[\w/]+)"/g)]
        .map(([, path]) => `^${path}(?:/|$)`)
        .join('|'),
    ),
  };
  for (const [balancer, pattern] of Object.entries(balancers)) {
    for (const path of paths) assert.match(`${path}/v2/ping`, pattern, balancer);
    for (const path of ['/v1/account/', '/ui/pdns', '/pdnsx']) assert.doesNotMatch(path, pattern, balancer);
  }
});

test('every setting in the values of the chart and in the environment of the unit is valid', () => {
  const values = parse(readDeployed('helm/nameglass/values.yaml')) as { environment: Record<string, string> };
  for (const environment of [values.environment, environmentFile('systemd/worker.env')]) {
    const settings = settingsOf(environment);
    assert.ok(Object.keys(settings).length > 0);
    readConfig({ environment: settings, flags: {} });
  }
});

test('every setting that a template of the chart names exists', () => {
  const named = globSync('helm/nameglass/templates/*', { cwd: deployFolder }).flatMap((file) =>
    [...readDeployed(file).matchAll(/NAMEGLASS_[A-Z0-9_]+/g)].map(([name]) => name),
  );
  const known = source('docs/configuration.md');
  assert.deepEqual(
    [...new Set(named)].filter((name) => name !== 'NAMEGLASS_CONFIG' && !known.includes(`\`${name}\``)),
    [],
  );
});

test('the container has the migrations that the package has', () => {
  const { files: packed } = JSON.parse(source('package.json')) as { files: readonly string[] };
  const migrations = packed.filter((path) => path.endsWith('/migrations'));
  assert.equal(migrations.length, 2);
  const container = source('packaging/container/Dockerfile');
  for (const path of migrations)
    assert.ok(container.includes(` cp -a ${path} /opt/nameglass/${join(path, '..')}/ `), path);
});

test('the pods of the chart run as the user of the container', () => {
  const [, uid] = /--uid (\d+)/.exec(source('packaging/container/Dockerfile')) ?? [];
  const helpers = readDeployed('helm/nameglass/templates/_helpers.tpl');
  const ids = [...helpers.matchAll(/(?:runAsUser|runAsGroup|fsGroup): (\d+)/g)].map(([, id]) => id);
  assert.deepEqual(ids, [uid, uid, uid]);
});

test('the chart and the package have the same version', () => {
  const { version } = JSON.parse(source('package.json')) as { version: string };
  const chart = parse(readDeployed('helm/nameglass/Chart.yaml')) as { version: string; appVersion: string };
  assert.deepEqual([chart.version, chart.appVersion], [version, version]);
});

test('the unit of a role is as confined as the unit of the package', () => {
  const confinement = (unit: string) => {
    const [, service = ''] = /^\[Service\]\n(.*?)^\[Install\]/ms.exec(unit) ?? [];
    return service.slice(service.indexOf('AmbientCapabilities=')).trim();
  };
  const own = confinement(readDeployed('systemd/nameglass@.service'));
  assert.ok(own.includes('ProtectSystem=strict'));
  assert.equal(own, confinement(source('packaging/systemd/nameglass.service')));
});
