/**
 * Finds tracker codes in the scripts and attributes of a page, which come in pieces. A code may lie across two of them, so the end of each
 * is looked at again with the next.
 */
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { trackerMembers } from '../../../model/record/tracker-members.ts';
import {
  ownAnalyticsHosts,
  ownAnalyticsSites,
  type TrackerPattern,
  trackerPatterns,
} from './tracker-patterns.ts';

export type Trackers = Pick<DomainRecord, (typeof trackerMembers)[number]>;

/** Longer than anything that a pattern matches. */
const overlap = 512;
const searchedAt = 16_384;
const codesMax = 20;

export class TrackerSearch {
  readonly #found = new Map<string, Set<string>>();
  #text = '';

  take(piece: string): void {
    this.#text += piece;
    if (this.#text.length < searchedAt) return;
    this.#search(false);
    this.#text = this.#text.slice(-overlap);
  }

  /** What follows belongs to something else. */
  divide(): void {
    this.take('\n');
  }

  /** `host` is that of the page: self-hosted analytics are there where nothing else is said. */
  end(host: string): Trackers {
    this.#search(true);
    this.#text = '';
    const [ownHost = host] = this.#found.get('host') ?? [];
    const sites = [...(this.#found.get('site') ?? [])].map((site) => `${ownHost.toLowerCase()}/${site}`);
    const codes = trackerMembers.flatMap((member): [string, string | string[]][] => {
      const all = member === 'selfhosted_analytics_codes' ? sites : [...(this.#found.get(member) ?? [])];
      const [first] = all;
      if (first === undefined) return [];
      return [[member, member.endsWith('_codes') ? all : first]];
    });
    return Object.fromEntries(codes);
  }

  #search(isWhole: boolean): void {
    const text = this.#text.includes('\\/') ? this.#text.replaceAll('\\/', '/') : this.#text;
    const find = (kind: string, { sign, code }: Omit<TrackerPattern, 'member'>) => {
      if (text.includes(sign)) this.#add(kind, text, code, isWhole);
    };
    for (const pattern of trackerPatterns) find(pattern.member, pattern);
    for (const pattern of ownAnalyticsSites) find('site', pattern);
    // Only where there is something to look at: every page has addresses.
    if (/matomo|piwik|setSiteId/i.test(text)) for (const pattern of ownAnalyticsHosts) find('host', pattern);
  }

  #add(kind: string, text: string, pattern: RegExp, isWhole: boolean): void {
    const codes = this.#found.get(kind) ?? new Set();
    for (const match of text.matchAll(pattern)) {
      // One that ends with the text may be longer than it seems.
      const isSure = isWhole || match.index + match[0].length < text.length;
      if (isSure && codes.size < codesMax && match[1] !== undefined) codes.add(match[1]);
    }
    if (codes.size > 0) this.#found.set(kind, codes);
  }
}
