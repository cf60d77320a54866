/**
 * Suggests changes of monitors that would have left out what a team ignored: of the domains that share something, nearly all were ignored and none was
 * escalated. What would have been left out otherwise is counted exactly, as the exclusions themselves do. Nothing changes until somebody accepts it.
 */
import { createHash } from 'node:crypto';
import { TimeSlice } from '../../../concurrency/time-slice.ts';
import type { DecidedCount, DecidedDomain, SuggestedChange } from '../../../model/detect/suggestion.ts';
import type { Monitor } from '../../../model/detect/watchlist.ts';
import { unicodeName } from '../../../model/lookalike/fold/unicode-name.ts';
import { Matcher } from '../../../model/lookalike/matcher.ts';
import { DecidedCounts, decisionsOf } from './decided-counts.ts';
import { nameServerPatternOf } from './name-server-pattern.ts';
import { wordsBeside } from './words-beside.ts';

export interface Suggestion extends SuggestedChange, DecidedCount {
  /** The same for the same change. */
  readonly id: string;
  readonly monitor: Monitor;
}

/** Fewer say too little. */
const ignoredMin = 15;
const keptShareMax = 0.02;
/** Of each kind and monitor. */
const candidatesMax = 10;

/** Those that are drawn from the most decisions first. */
export async function suggestChanges(
  decided: readonly DecidedDomain[],
  monitors: readonly Monitor[],
): Promise<readonly Suggestion[]> {
  const active = new Map(monitors.filter(({ state }) => state === 'active').map((one) => [one.id, one]));
  const ofMonitor = new Map<string, DecidedDomain[]>();
  for (const domain of decided)
    for (const { monitorId } of domain.matches) {
      if (!active.has(monitorId)) continue;
      const known = ofMonitor.get(monitorId);
      if (known) known.push(domain);
      else ofMonitor.set(monitorId, [domain]);
    }
  const slice = new TimeSlice();
  const found: Suggestion[] = [];
  for (const [id, domains] of ofMonitor)
    found.push(...(await suggestFor(active.get(id) as Monitor, domains, slice)));
  return found.sort(
    (one, other) => decisionsOf(other) - decisionsOf(one) || (nameOf(one) < nameOf(other) ? -1 : 1),
  );
}

export function isWorthIt(count: DecidedCount): boolean {
  return (
    count.ignored >= ignoredMin && count.escalated === 0 && count.kept <= keptShareMax * decisionsOf(count)
  );
}

async function suggestFor(
  monitor: Monitor,
  domains: readonly DecidedDomain[],
  slice: TimeSlice,
): Promise<readonly Suggestion[]> {
  if (domains.length < ignoredMin) return [];
  const [servers, words, inside] = [new DecidedCounts(), new DecidedCounts(), new DecidedCounts()];
  const lenient = new Matcher([{ text: monitor.term, substringVariations: true }]);
  const strict = monitor.matchSubstringVariations
    ? new Matcher([{ text: monitor.term, substringVariations: false }])
    : undefined;
  for (const domain of domains) {
    const nextSlice = slice.yieldIfOver();
    if (nextSlice) await nextSlice;
    const pattern = nameServerPatternOf(domain);
    if (pattern !== undefined) servers.add(pattern, domain);
    for (const word of wordsBeside(domain.domain, lenient)) words.add(word, domain);
    if (strict && strict.match(domain.domain).length === 0) inside.add('', domain);
  }
  const excluded = new Set([...monitor.nameserverExclusions, ...monitor.textExclusions]);
  const worthIt = (counts: DecidedCounts) =>
    counts
      .list(domains.length)
      .filter((count) => isWorthIt(count) && !excluded.has(count.value))
      .slice(0, candidatesMax);
  const changes = [
    ...worthIt(servers).map((count) => ({ kind: 'exclude-name-servers', ...count }) as const),
    ...(await countContaining(worthIt(words), domains, slice)).map(
      (count) => ({ kind: 'exclude-text', ...count }) as const,
    ),
    ...worthIt(inside).map((count) => ({ kind: 'no-substring-variations', ...count }) as const),
  ];
  return changes.map((change) => {
    const { kind, value } = change;
    return { ...change, id: idOf({ monitorId: monitor.id, kind, value }), monitorId: monitor.id, monitor };
  });
}

/** An excluded text leaves out every name that contains it, also where it is no word. */
async function countContaining(
  words: readonly { readonly value: string }[],
  domains: readonly DecidedDomain[],
  slice: TimeSlice,
): Promise<readonly (DecidedCount & { readonly value: string })[]> {
  const counts = new DecidedCounts();
  for (const domain of words.length === 0 ? [] : domains) {
    const nextSlice = slice.yieldIfOver();
    if (nextSlice) await nextSlice;
    const names = [domain.domain, unicodeName(domain.domain)];
    for (const { value } of words) if (names.some((name) => name.includes(value))) counts.add(value, domain);
  }
  return words.map(({ value }) => ({ value, ...counts.get(value) })).filter(isWorthIt);
}

function nameOf({ monitor, kind, value }: Suggestion): string {
  return `${monitor.term} ${kind} ${value}`;
}

function idOf({ monitorId, kind, value }: SuggestedChange): string {
  return createHash('sha256')
    .update(JSON.stringify([monitorId, kind, value]))
    .digest('hex')
    .slice(0, 16);
}
