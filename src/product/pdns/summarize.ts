/** Summary: aggregates what a lookup would return. It reads the same slices, so that it can be stopped at any of them. */
import type { Origin, Sighting } from '../../model/dns/rrset.ts';
import type { Row } from '../../store/rrset-store.ts';
import { type RowStore, rowSource } from './lookup.ts';
import { type Allowance, pageFor, type Search, searchPage } from './page.ts';
import type { RowQuery } from './query.ts';

interface Span {
  readonly firstSeconds: number;
  readonly lastSeconds: number;
}

export interface Summary {
  readonly count: number;
  readonly results: number;
  /** When sensors saw any of it, and when zone files listed any of it. */
  readonly seen: Readonly<Partial<Record<Origin, Span>>>;
}

/** Yields one summary, or none where there are no rows. It ignores `sort`, `offset` and `cursor`. */
export function summarize(query: RowQuery, allowance: Allowance, rrsets: RowStore): Search<Summary> {
  const { path, merged, limit } = query.paging;
  const whole = { path, merged, limit, order: 'store', offset: undefined, after: undefined } as const;
  return aggregate(searchPage(rowSource(query, rrsets), pageFor(whole, allowance)), query.countStop);
}

async function* aggregate(search: Search<Row>, countStop = Number.POSITIVE_INFINITY): Search<Summary> {
  let count = 0;
  let results = 0;
  const seen: Partial<Record<Origin, Span>> = {};
  const summaries = () =>
    results === 0 ? [] : [{ count: Math.min(count, Number.MAX_SAFE_INTEGER), results, seen }];
  try {
    for (;;) {
      const step = await search.next();
      if (step.done) {
        yield summaries();
        // A summary has no next page.
        return step.value.outcome === 'complete' ? step.value : { outcome: 'limited', cursor: undefined };
      }
      for (const row of step.value) {
        count += row.count;
        results += 1;
        seen[row.origin] = widened(seen[row.origin], row);
        if (count >= countStop) {
          yield summaries();
          return { outcome: 'complete' };
        }
      }
      yield [];
    }
  } finally {
    await search.return({ outcome: 'complete' });
  }
}

function widened(span: Span | undefined, { firstSeconds, lastSeconds }: Sighting): Span {
  return {
    firstSeconds: Math.min(span?.firstSeconds ?? firstSeconds, firstSeconds),
    lastSeconds: Math.max(span?.lastSeconds ?? lastSeconds, lastSeconds),
  };
}
