/** How large the blocklists of an account are and how they begin, without sending them. Kept until the list changes. */
import {
  type BlocklistFormatName,
  blocklistFormatNames,
  blocklistFormats,
  isWritable,
} from '../../../model/detect/blocklist/format.ts';
import type { BlocklistNeeds } from '../blocklists.ts';

export interface BlocklistSummary {
  readonly version: number;
  readonly domains: number;
  readonly formats: ReadonlyMap<BlocklistFormatName, FormatSummary>;
}

export interface FormatSummary {
  readonly bytes: number;
  /** The first ones. */
  readonly lines: readonly string[];
  readonly moreLines: boolean;
}

const linesMax = 20;
const pageNames = 500;
const accountsMax = 100;

export class BlocklistSummaries {
  readonly #needs: BlocklistNeeds;
  /** Least recently used first. */
  readonly #kept = new Map<string, { readonly tag: string; readonly summary: Promise<BlocklistSummary> }>();

  constructor(needs: BlocklistNeeds) {
    this.#needs = needs;
  }

  async get(accountId: string): Promise<BlocklistSummary> {
    const version = await this.#needs.escalations.blocklistVersion(accountId);
    const { blocklistTtlSeconds: ttlSeconds } = this.#needs.settings.detect;
    const tag = `${version} ${ttlSeconds}`;
    const known = this.#kept.get(accountId);
    const summary =
      known?.tag === tag ? known.summary : summarize(accountId, { version, ttlSeconds }, this.#needs);
    this.#kept.delete(accountId);
    this.#kept.set(accountId, { tag, summary });
    summary.catch(() => this.#kept.delete(accountId));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= accountsMax) break;
      this.#kept.delete(oldest);
    }
    return summary;
  }
}

async function summarize(
  accountId: string,
  head: { readonly version: number; readonly ttlSeconds: number },
  { escalations }: BlocklistNeeds,
): Promise<BlocklistSummary> {
  const counters = new Map(
    blocklistFormatNames.map((format) => [format, new FormatCounter(blocklistFormats[format].head(head))]),
  );
  let domains = 0;
  for (let after = ''; ; ) {
    const names = await escalations.listBlockedDomains(accountId, after, pageNames);
    domains += names.length;
    for (const { domain } of names.filter((name) => isWritable(name.domain)))
      for (const [format, counter] of counters) counter.add(blocklistFormats[format].lines(domain));
    if (names.length < pageNames) break;
    after = names.at(-1)?.domain ?? '';
  }
  const formats = new Map([...counters].map(([format, counter]) => [format, counter.summary()]));
  return { version: head.version, domains, formats };
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
