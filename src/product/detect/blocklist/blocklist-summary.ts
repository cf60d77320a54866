/** How large a blocklist of an account is and how it begins, without sending it. Kept until the list changes. */
import {
  type BlocklistFormat,
  type BlocklistFormatName,
  type BlocklistHead,
  blocklistFormatNames,
  blocklistFormats,
} from '../../../model/detect/blocklist/format.ts';
import type { SelectionKey } from '../../../store/detect/blocklist-store.ts';
import { type BlocklistFile, type BlocklistNeeds, listHead, scanVersion } from '../blocklists.ts';

export interface BlocklistSummary {
  readonly formats: ReadonlyMap<BlocklistFormatName, FormatSummary>;
}

export interface FormatSummary {
  readonly bytes: number;
  /** The first ones. */
  readonly lines: readonly string[];
  readonly moreLines: boolean;
}

export interface SummaryNeeds {
  readonly blocklists: Pick<BlocklistNeeds['blocklists'], 'listNames'>;
  readonly settings: BlocklistNeeds['settings'];
  readonly pageUrl: BlocklistFile['pageUrl'];
}

const linesMax = 20;
const summariesMax = 200;

export class BlocklistSummaries {
  readonly #needs: SummaryNeeds;
  /** Least recently used first. */
  readonly #kept = new Map<string, { readonly tag: string; readonly summary: Promise<BlocklistSummary> }>();

  constructor(needs: SummaryNeeds) {
    this.#needs = needs;
  }

  /** Of the version with this serial. */
  get(key: SelectionKey & { readonly accountName: string }, serial: number): Promise<BlocklistSummary> {
    const head = listHead({ ...key, serial }, this.#needs.settings);
    const tag = JSON.stringify(head);
    const id = JSON.stringify([key.accountId, key.selection]);
    const known = this.#kept.get(id);
    const summary = known?.tag === tag ? known.summary : summarize(key, head, this.#needs);
    this.#kept.delete(id);
    this.#kept.set(id, { tag, summary });
    summary.catch(() => this.#kept.delete(id));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= summariesMax) break;
      this.#kept.delete(oldest);
    }
    return summary;
  }
}

async function summarize(
  key: SelectionKey,
  list: BlocklistHead,
  { blocklists, pageUrl }: SummaryNeeds,
): Promise<BlocklistSummary> {
  const counters = new Map(
    blocklistFormatNames.map((format) => [format, new FormatCounter(blocklistFormats[format].head(list))]),
  );
  for await (const names of scanVersion(key, list.serial, blocklists))
    for (const listed of names)
      for (const [format, counter] of counters)
        counter.add(blocklistFormats[format].lines(listed, { pageUrl: pageUrl(listed.name), list }));
  for (const [format, counter] of counters) {
    const { foot = '' }: BlocklistFormat = blocklistFormats[format];
    counter.add(foot);
  }
  return { formats: new Map([...counters].map(([format, counter]) => [format, counter.summary()])) };
}

class FormatCounter {
  #bytes = 0;
  #lines: string[] = [];

  constructor(head: string) {
    this.add(head);
  }

  add(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    if (this.#lines.length <= linesMax) this.#lines.push(...text.split('\n').slice(0, -1));
  }

  summary(): FormatSummary {
    const lines = this.#lines.slice(0, linesMax);
    return { bytes: this.#bytes, lines, moreLines: this.#lines.length > linesMax };
  }
}
