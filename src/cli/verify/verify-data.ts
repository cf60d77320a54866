/** Reads all stored data of some kinds, and prints what is damaged. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findListDamage } from '../../collect/sources/zone-files/label-file.ts';
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { Damage } from '../../store/damage.ts';
import type { CliNeeds } from '../needs.ts';
import { counted, print } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { configOf } from '../settings-options.ts';

export const verifyKinds = {
  databases: 'compare every database with its checksums, and check its structure',
  rrsets: 'read all passive DNS files',
  streams: 'read all segments of feeds and channels',
  archives: 'read all feed archives',
  images: 'read all screenshots',
  sources: 'read the lists of names that zone files are compared with',
} as const;

export interface VerifyOptions {
  readonly json?: boolean;
  readonly data?: string;
}

type Kind = keyof typeof verifyKinds;
type OnProgress = (done: number, all: number) => void;

interface DataCheck {
  readonly damages: readonly (Damage & { readonly kind: Kind })[];
}

/** Exit code 1 if anything is damaged. */
export async function verifyData(
  kinds: readonly Kind[],
  options: VerifyOptions,
  needs: CliNeeds,
): Promise<DataCheck> {
  const { settings } = configOf(options, needs);
  const found: DataCheck['damages'][number][] = [];
  const verify = async (kind: Kind, start: (onProgress: OnProgress) => AsyncIterable<Damage>) => {
    const damages = await collect(kind, start, options);
    found.push(...damages.map(({ file, offset, problem }) => ({ kind, file, offset, problem })));
  };
  if (kinds.includes('databases'))
    await verify('databases', (onProgress) => databaseDamages(settings, needs, onProgress));
  const files = kinds.filter((kind) => kind !== 'databases' && kind !== 'sources');
  if (files.length > 0) {
    const stores = await needs.openStores(settings, { create: false });
    try {
      for (const kind of files) await verify(kind, (onProgress) => stores[kind].verify(onProgress));
    } finally {
      await stores.close();
    }
  }
  if (kinds.includes('sources')) await verify('sources', () => sourceDamages(settings));
  if (found.length > 0) process.exitCode = 1;
  return { damages: found };
}

async function collect(
  kind: Kind,
  start: (onProgress: OnProgress) => AsyncIterable<Damage>,
  { json }: VerifyOptions,
): Promise<readonly Damage[]> {
  const progress = progressLine();
  const damages: Damage[] = [];
  const show: OnProgress = (done, all) =>
    progress.show(`${kind}: ${done.toLocaleString('en')} of ${all.toLocaleString('en')}`);
  for await (const damage of start(show)) {
    progress.clear();
    damages.push(damage);
    if (!json) print(escapeForTerminal(lineOf(damage)));
  }
  progress.clear();
  if (!json)
    print(damages.length === 0 ? `${kind}: intact` : `${kind}: ${counted(damages.length, 'damage')}`);
  return damages;
}

async function* databaseDamages(
  settings: Settings,
  needs: CliNeeds,
  onProgress: OnProgress,
): AsyncGenerator<Damage> {
  const { damages } = await needs.verifyDatabases(settings, { how: 'full', onProgress });
  yield* damages;
}

async function* sourceDamages({ data }: Settings): AsyncGenerator<Damage> {
  const directory = join(data, 'sources');
  const names = existsSync(directory) ? readdirSync(directory) : [];
  for (const name of names.filter((found) => found.endsWith('.names'))) {
    const damage = await findListDamage(join(directory, name));
    if (damage) yield damage;
  }
}

export function lineOf({ file, offset, problem }: Damage): string {
  return `${file}${offset === undefined ? '' : ` at byte ${offset}`}: ${problem}`;
}
