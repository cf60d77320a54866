/**
 * Size-tiered compaction: which segments to merge into one. A group is segments of similar size, each at most twice the sum
 * of the smaller ones in the group. This keeps the number of segments, and how often an entry is rewritten (the write
 * amplification), logarithmic in the size of the store.
 *
 * O'Neil et al., The log-structured merge-tree (1996), https://doi.org/10.1007/s002360050048; the size-tiered variant is
 * that of Bigtable and Cassandra, https://cassandra.apache.org/doc/latest/cassandra/managing/operating/compaction/stcs.html
 */
import type { ListedSegment } from './segment/segment-files.ts';
import { formatVersion } from './segment/table-footer.ts';

/**
 * The group with the smallest segments, or undefined when no group has `groupMin` of them. Unpublished segments are never
 * compacted, and no group spans one: a compacted segment takes the highest sequence of its sources, so data that was known
 * before an unpublished segment would otherwise appear to have come after it.
 */
export function chooseSegments(
  segments: readonly ListedSegment[],
  groupMin: number,
): readonly ListedSegment[] | undefined {
  let candidates: ListedSegment[] = [];
  for (const segment of segments.toSorted((left, right) => left.sequence - right.sequence)) {
    if (segment.published) {
      candidates.push(segment);
      continue;
    }
    const group = chooseGroup(candidates, groupMin);
    if (group) return group;
    candidates = [];
  }
  return chooseGroup(candidates, groupMin);
}

/** A single segment of an old file format, which compaction rewrites in the current one. */
export function chooseOldFormat(segments: readonly ListedSegment[]): readonly ListedSegment[] | undefined {
  const old = segments.find(({ published, format }) => published && format < formatVersion);
  return old && [old];
}

function chooseGroup(
  candidates: readonly ListedSegment[],
  groupMin: number,
): readonly ListedSegment[] | undefined {
  const bySize = candidates.toSorted((left, right) => left.rrsets - right.rrsets);
  for (let from = 0; from + groupMin <= bySize.length; from += 1) {
    let to = from;
    let smaller = 0;
    for (; to < bySize.length; to += 1) {
      const { rrsets } = bySize[to] as ListedSegment;
      if (to > from && rrsets > 2 * smaller) break;
      smaller += rrsets;
    }
    if (to - from >= groupMin) return bySize.slice(from, to);
  }
  return undefined;
}
