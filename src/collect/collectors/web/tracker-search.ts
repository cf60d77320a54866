/**
 * Searches the scripts and attributes of a page, which arrive in chunks, for tracker codes. The end of each searched text is kept,
 * so that a code across two chunks is found.
 */
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { trackerMembers } from '../../../model/record/tracker-members.ts';
import {
  selfHostedHosts,
  selfHostedSites,
  type TrackerPattern,
  trackerPatterns,
} from './tracker-patterns.ts';

export type Trackers = Pick<DomainRecord, (typeof trackerMembers)[number]>;

/** Longer than any match. */
const overlap = 512;
const searchedAt = 16_384;
const codesMax = 20;

export class TrackerSearch {
  readonly #found = new Map<string, Set<string>>();
  #text = '';

  addText(text: string): void {
    this.#text += text;
    if (this.#text.length < searchedAt) return;
    this.#search(false);
    this.#text = this.#text.slice(-overlap);
  }

  /** Separates texts that do not belong together. */
  addBoundary(): void {
    this.addText('\n');
  }

  /** `host` is that of the page, where self-hosted analytics run unless the page names another host. */
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
    const find = (kind: string, { literal, code }: Omit<TrackerPattern, 'member'>) => {
      if (text.includes(literal)) this.#add(kind, text, code, isWhole);
    };
    for (const pattern of trackerPatterns) find(pattern.member, pattern);
    for (const pattern of selfHostedSites) find('site', pattern);
    // Only with signs of self-hosted analytics: every page has URLs.
    if (/matomo|piwik|setSiteId/i.test(text)) for (const pattern of selfHostedHosts) find('host', pattern);
  }

  #add(kind: string, text: string, pattern: RegExp, isWhole: boolean): void {
    const codes = this.#found.get(kind) ?? new Set();
    for (const match of text.matchAll(pattern)) {
      // A match at the end of the text may continue in the next chunk.
      const isSure = isWhole || match.index + match[0].length < text.length;
      if (isSure && codes.size < codesMax && match[1] !== undefined) codes.add(match[1]);
    }
    if (codes.size > 0) this.#found.set(kind, codes);
  }
}
