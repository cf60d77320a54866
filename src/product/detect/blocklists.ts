/** A blocklist of an account as a file of one format, streamed in pages, so that its length does not matter. */
import { createHash } from 'node:crypto';
import {
  type BlocklistFormat,
  type BlocklistFormatName,
  type BlocklistHead,
  blocklistFormats,
  isWritable,
} from '../../model/detect/blocklist/format.ts';
import type { ListedName } from '../../model/detect/blocklist/selection.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { BlocklistStore, SelectionKey } from '../../store/detect/blocklist-store.ts';
import { refreshSoon } from './blocklist/refresh-soon.ts';
import type { SelectedTags } from './blocklist/selected-tags.ts';
import { noSuchSelection } from './blocklist/selections.ts';

export interface BlocklistNeeds {
  readonly blocklists: Pick<BlocklistStore, 'refreshSelections' | 'findSelection' | 'listNames'>;
  readonly selectedTags: SelectedTags;
  readonly settings: Pick<Settings, 'detect' | 'sharing'>;
}

export interface SerialNeeds {
  readonly blocklists: Pick<BlocklistStore, 'refreshSelections' | 'findSelection'>;
  readonly selectedTags: SelectedTags;
}

export interface Blocklist {
  /** An entity tag: lists with the same tag have the same bytes. */
  readonly tag: string;
  readonly serial: number;
  scan(): AsyncGenerator<Uint8Array, void, undefined>;
}

const pageNames = 1000;

export interface BlocklistFile {
  readonly format: BlocklistFormatName;
  /** A page about a name; undefined where there is none. */
  readonly pageUrl: (name: string) => string | undefined;
  readonly accountName: string;
}

/** Throws `not-found` for an unknown selection. */
export async function openBlocklist(
  key: SelectionKey,
  { format, pageUrl, accountName }: BlocklistFile,
  { blocklists, selectedTags, settings }: BlocklistNeeds,
  nowMs: number,
): Promise<Blocklist> {
  const { head, lines, foot = '' }: BlocklistFormat = blocklistFormats[format];
  const serial = await latestSerial(key, { blocklists, selectedTags }, nowMs);
  const list = listHead({ ...key, serial, accountName }, settings);
  const begin = head(list);
  return {
    tag: createHash('sha256')
      .update(JSON.stringify([list, format]))
      .digest('base64url')
      .slice(0, 16),
    serial,
    async *scan() {
      yield Buffer.from(begin);
      for await (const names of scanVersion(key, serial, blocklists)) {
        const texts = names.map((listed) => lines(listed, { pageUrl: pageUrl(listed.name), list }));
        yield Buffer.from(texts.join(''));
      }
      if (foot !== '') yield Buffer.from(foot);
    },
  };
}

/** What a file says of its list. */
export function listHead(
  {
    accountId,
    selection,
    serial,
    accountName,
  }: SelectionKey & { readonly serial: number; readonly accountName: string },
  { detect, sharing }: Pick<Settings, 'detect' | 'sharing'>,
): BlocklistHead {
  const author = { accountId, accountName, marking: sharing.tlp };
  return { selection, serial, ttlSeconds: detect.blocklistTtlSeconds, author };
}

/** The serial of the present version, with everything that was written before. Throws `not-found` for an unknown selection. */
export async function latestSerial(
  key: SelectionKey,
  { blocklists, selectedTags }: SerialNeeds,
  nowMs: number,
): Promise<number> {
  await selectedTags.sync(nowMs, key.accountId);
  await refreshSoon(blocklists, key.accountId, nowMs);
  const found = await blocklists.findSelection(key);
  if (!found) throw noSuchSelection(key.selection);
  if (found.serial === 0)
    throw new Problem('unavailable', 'The list is filled for the first time. Fetch it again in a minute.');
  return found.serial;
}

/** The names of one version, whatever changes meanwhile; those that no format can express are left out. */
export async function* scanVersion(
  key: SelectionKey,
  serial: number,
  blocklists: Pick<BlocklistStore, 'listNames'>,
): AsyncGenerator<readonly ListedName[], void, undefined> {
  for (let after = ''; ; ) {
    const names = await blocklists.listNames(key, serial, { after, limit: pageNames });
    if (!names) throw new Problem('unavailable', 'The list has changed too often meanwhile. Fetch it again.');
    yield names.filter(({ name }) => isWritable(name));
    if (names.length < pageNames) return;
    after = names.at(-1)?.name ?? '';
  }
}
