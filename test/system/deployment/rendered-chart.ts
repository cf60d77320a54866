/** The chart of `deploy/helm`, rendered by Go's template engine: Helm is neither in Debian nor in npm. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { deployFolder, readDeployed } from '../../deploy/deploy-files.ts';
import { commandPath } from '../../harness/debian-package.ts';

const chartFolder = 'helm/nameglass';
const program = join(import.meta.dirname, 'helm-templates/main.go');

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [member: string]: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** As Helm does: maps are merged, everything else is replaced. */
function merged(values: Values, changes: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const result: Record<string, unknown> = { ...values };
  for (const [name, change] of Object.entries(changes)) {
    const before = result[name];
    result[name] = isMap(before) && isMap(change) ? merged(before, change) : change;
  }
  return result;
}

/** Throws what the engine says of a mistake. */
export function renderChart(changes: Values): readonly KubernetesObject[] {
  const { name, version, appVersion } = parse(readDeployed(`${chartFolder}/Chart.yaml`)) as Record<
    string,
    string
  >;
  const paths = globSync(`${chartFolder}/templates/*`, { cwd: deployFolder }).sort();
  const input = {
    values: merged(parse(readDeployed(`${chartFolder}/values.yaml`)) as Values, changes),
    release: { Name: 'nameglass', Namespace: 'default' },
    chart: { Name: name, Version: version, AppVersion: appVersion },
    templates: Object.fromEntries(paths.map((path) => [basename(path), readDeployed(path)])),
  };
  const { status, stdout, stderr } = spawnSync(commandPath('go') ?? 'go', ['run', program], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    env: { ...process.env, GOCACHE: join(deployFolder, '../node_modules/.cache/go'), GOTOOLCHAIN: 'local' },
  });
  if (status !== 0) throw new Error(stderr);
  return Object.entries(JSON.parse(stdout) as Record<string, string>)
    .filter(([path]) => path.endsWith('.yaml'))
    .flatMap(([path, text]) =>
      parseAllDocuments(text).map((document) => {
        if (document.errors.length > 0) throw new Error(`${path}: ${document.errors.join('\n')}\n${text}`);
        return document.toJS() as KubernetesObject | null;
      }),
    )
    .filter((object) => object !== null);
}
