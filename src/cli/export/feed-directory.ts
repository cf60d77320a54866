/**
 * Writes a MISP feed into a directory. Every file is replaced in one step, files that have not changed are left alone, and the manifest comes last:
 * a program that reads the directory, at any moment and after any crash, finds all events that the manifest lists, each in full.
 */
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../model/problem.ts';
import type { MispFeed } from '../../product/detect/blocklist/misp-feed.ts';

export interface FeedChanges {
  /** Files that are new or have changed, the manifest and the hashes among them. */
  readonly written: number;
  /** Events that are no longer in the feed. */
  readonly removed: number;
}

const [manifestName, hashesName] = ['manifest.json', 'hashes.csv'];
const eventForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;
const partForm = /^\.nameglass-(\d+)\.part$/;

export async function writeFeedDirectory(directory: string, feed: MispFeed): Promise<FeedChanges> {
  await mkdir(directory, { recursive: true });
  const entries = await readdir(directory);
  refuseForeign(directory, entries);
  const before = await readManifest(directory);
  refuseOtherOwner(directory, before, parsed([...feed.manifest()].join('')));
  for (const name of entries) if (isAbandoned(name)) await rm(join(directory, name), { force: true });

  let written = 0;
  const replace = async (name: string, parts: Iterable<string>) => {
    if (await replaceChanged(directory, name, [...parts].join(''))) written += 1;
  };
  for (const event of feed.events.values()) await replace(`${event.uuid}.json`, feed.event(event));
  await replace(hashesName, feed.hashes());
  // What the manifest lists is durable before the manifest is.
  await syncDirectory(directory);
  await replace(manifestName, feed.manifest());
  await syncDirectory(directory);
  const obsolete = entries.filter((name) => eventForm.test(name) && !feed.events.has(name.slice(0, -5)));
  for (const name of obsolete) await rm(join(directory, name), { force: true });
  return { written, removed: obsolete.length };
}

type Manifest = Readonly<Record<string, { readonly Orgc?: { readonly uuid?: string } } | undefined>>;

function refuseForeign(directory: string, entries: readonly string[]): void {
  const foreign = entries.find(
    (name) => name !== manifestName && name !== hashesName && !eventForm.test(name) && !partForm.test(name),
  );
  if (foreign !== undefined)
    throw new Problem(
      'conflict',
      `${directory} has other files, such as ${foreign}; give a new directory, because events that are gone are deleted`,
    );
}

/** The directory of another feed, or of another account, is not overwritten. */
function refuseOtherOwner(directory: string, before: Manifest, now: Manifest): void {
  const ownersOf = (manifest: Manifest) => new Set(Object.values(manifest).map((event) => event?.Orgc?.uuid));
  const [owner] = ownersOf(now);
  const other = [...ownersOf(before)].find((one) => one !== owner);
  if (owner !== undefined && other !== undefined)
    throw new Problem('conflict', `${directory} is the feed of another organisation; give a new directory`);
}

async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, manifestName), 'utf8').catch(() => '{}');
  return parsed(text);
}

function parsed(text: string): Manifest {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Manifest) : {};
  } catch {
    return {};
  }
}

/** Of an export that was killed. */
function isAbandoned(name: string): boolean {
  const [, id] = partForm.exec(name) ?? [];
  if (id === undefined) return false;
  try {
    process.kill(Number(id), 0);
    return Number(id) === process.pid;
  } catch {
    return true;
  }
}

/** Whether it had to be written. */
async function replaceChanged(directory: string, name: string, text: string): Promise<boolean> {
  const path = join(directory, name);
  const bytes = Buffer.from(text);
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(bytes)) return false;
  const part = join(directory, `.nameglass-${process.pid}.part`);
  const file = await open(part, 'w', 0o644);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
  return true;
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
