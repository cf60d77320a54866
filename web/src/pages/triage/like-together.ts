/**
 * A list is in the order of risk, then of age. Many have the same risk and were found at the same time: of those, the ones that share a name
 * server, an address or a picture with most others of the page come first.
 */
import type { Domain } from '../../data/detect.ts';
import { plain } from '../../data/foreign.ts';

const valuesOf = ({ name_server, ip, picture }: Domain): readonly string[] => [
  ...name_server.map(({ host }) => `host ${plain(host)}`),
  ...ip.map((address) => `ip ${plain(address.ip)}`),
  ...(picture.hash === undefined ? [] : [`picture ${picture.hash}`]),
];

interface Shared {
  readonly domain: Domain;
  readonly value: string;
  /** How many of the page share it. */
  readonly size: number;
}

const inOrder = (one: Shared, other: Shared): number =>
  other.size - one.size || (one.value < other.value ? -1 : one.value > other.value ? 1 : 0);

export function likeTogether(page: readonly Domain[]): readonly Domain[] {
  const counts = new Map<string, number>();
  for (const value of page.flatMap(valuesOf)) counts.set(value, (counts.get(value) ?? 0) + 1);
  const mostShared = (domain: Domain): Shared =>
    valuesOf(domain)
      .map((value) => ({ domain, value, size: counts.get(value) ?? 0 }))
      .toSorted(inOrder)[0] ?? { domain, value: '', size: 0 };
  // The page is sorted by both already, so those that have them in common follow each other.
  const ties = Map.groupBy(page, ({ risk_score, discovered_date }) => `${risk_score} ${discovered_date}`);
  return [...ties.values()].flatMap((tie) =>
    tie.length === 1
      ? tie
      : tie
          .map(mostShared)
          .toSorted(inOrder)
          .map(({ domain }) => domain),
  );
}
