/** Compares what is not in tables: the lines of streams, archives and images. */
import { createHash } from 'node:crypto';
import type { CopyRequest, CopyVerification } from '../store/copy/store-copier.ts';
import { DamagedData } from '../store/damage.ts';
import { listArchived } from './copy-archives.ts';
import type { ReaderSide } from './reader-side.ts';
import type { TablePlan } from './table-plan.ts';
import { imageTable } from './tables/other.ts';

export interface Found {
  readonly compared: CopyVerification['compared'][number][];
  readonly differences: string[];
}

export type Sides = readonly [source: ReaderSide, target: ReaderSide];

export async function compareStreams(
  [source, target]: Sides,
  { compared, differences }: Found,
  onProgress: CopyRequest['onProgress'],
): Promise<void> {
  const names = new Set([...(await source.streams.listStreams()), ...(await target.streams.listStreams())]);
  for (const stream of [...names].sort()) {
    const part = `stream ${stream}`;
    const onBytes = (done: number) => onProgress({ part, done, unit: 'bytes' });
    const [one, other] = [
      await digestStream(source, stream, onBytes),
      await digestStream(target, stream, onBytes),
    ];
    compared.push({ part, size: one.bytes, sha256: one.sha256 });
    if (one.text !== other.text)
      differences.push(`${part}: ${source.location} has ${one.text}, ${target.location} ${other.text}`);
  }
}

async function digestStream(side: ReaderSide, stream: string, onBytes: (bytes: number) => void) {
  const state = await side.streams.findState(stream);
  const sum = createHash('sha256');
  let bytes = 0;
  const range = state && (await side.streams.openRange(stream, state.start, state.end));
  let damage = '';
  try {
    for await (const chunk of range?.read() ?? []) {
      sum.update(chunk);
      bytes += chunk.length;
      onBytes(bytes);
    }
  } catch (error) {
    if (!(error instanceof DamagedData)) throw error;
    damage = `, damaged: ${error.problem}`;
  } finally {
    await range?.close();
  }
  const sha256 = sum.digest('hex');
  const span = state ? `bytes ${state.start} to ${state.end} in ${state.lines} lines` : 'nothing';
  return { bytes, sha256, text: `${span} (SHA-256 ${sha256}${damage})` };
}

export async function compareArchives(
  [source, target]: Sides,
  { compared, differences }: Found,
  onProgress: CopyRequest['onProgress'],
): Promise<void> {
  const sum = createHash('sha256');
  let files = 0;
  for await (const { name, sha256 } of listArchived(source)) {
    sum.update(`${sha256}  ${name}\n`);
    for (const side of [source, target]) {
      const found = await digestFile(side, name);
      if (found !== sha256) differences.push(`archive ${name}: ${side.location} has ${found}`);
    }
    files += 1;
    onProgress({ part: 'archives', done: files, unit: 'files' });
  }
  for await (const { name } of listArchived(target))
    if (!(await source.archives.findFile(name)))
      differences.push(`archive ${name}: only in ${target.location}`);
  compared.push({ part: 'archives', size: files, sha256: sum.digest('hex') });
}

/** Its SHA-256, or why there is none. */
async function digestFile(side: ReaderSide, name: string): Promise<string> {
  const sum = createHash('sha256');
  try {
    const opened = await side.archives.openFile(name);
    if (!opened) return 'no such file';
    try {
      for await (const chunk of opened.read(0, opened.file.bytes)) sum.update(chunk);
    } finally {
      await opened.close();
    }
    return sum.digest('hex');
  } catch (error) {
    if (error instanceof DamagedData) return error.problem;
    throw error;
  }
}

/** Images are named by the hash of their bytes, and reading one compares both. */
export async function compareImages(
  sides: Sides,
  plans: readonly TablePlan[],
  { compared, differences }: Found,
  onProgress: CopyRequest['onProgress'],
): Promise<void> {
  const plan = plans.find(({ table }) => table === imageTable) as TablePlan;
  const hashAt = plan.pairs.findIndex(({ embedded }) => embedded === 'hash');
  for (const side of sides) {
    const sum = createHash('sha256');
    let images = 0;
    for await (const page of side.scan(plan, false))
      for (const row of page) {
        const hash = String(row[hashAt]);
        sum.update(`${hash}\n`);
        await side.readImage(hash).catch((error: unknown) => {
          if (!(error instanceof DamagedData)) throw error;
          differences.push(`image ${hash}: ${side.location}: ${error.problem}`);
        });
        images += 1;
        onProgress({ part: `images in ${side.location}`, done: images, unit: 'images' });
      }
    if (side === sides[0]) compared.push({ part: 'images', size: images, sha256: sum.digest('hex') });
  }
}
