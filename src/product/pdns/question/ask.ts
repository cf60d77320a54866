/** Reads the answer to a question: bounded, in slices, and no longer than a lookup of the API may take. */
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { Row, RrsetStore, TextRow } from '../../../store/rrset-store.ts';
import { searchTexts } from '../flex-search.ts';
import { lookUp } from '../lookup.ts';
import type { Allowance, Ending, Search } from '../page.ts';
import type { FlexQuery, RowQuery } from '../query.ts';
import { type Summary, summarize } from '../summarize.ts';

export interface AskNeeds {
  readonly rrsets: Pick<RrsetStore, 'scan' | 'scanText'>;
  readonly settings: Pick<Settings, 'pdns'>;
}

export interface LookupBounds {
  readonly allowance: Allowance;
  readonly signal: AbortSignal;
}

export interface Rows<Item> {
  readonly items: readonly Item[];
  readonly ending: Ending;
}

export function askRows(query: RowQuery, bounds: LookupBounds, needs: AskNeeds): Promise<Rows<Row>> {
  return readAll(lookUp(query, bounds.allowance, needs.rrsets), bounds, needs);
}

export function askTexts(query: FlexQuery, bounds: LookupBounds, needs: AskNeeds): Promise<Rows<TextRow>> {
  return readAll(searchTexts(query, bounds.allowance, needs.rrsets), bounds, needs);
}

export async function askSummary(
  query: RowQuery,
  bounds: LookupBounds,
  needs: AskNeeds,
): Promise<{ readonly summary: Summary | undefined; readonly complete: boolean }> {
  const { items, ending } = await readAll(summarize(query, bounds.allowance, needs.rrsets), bounds, needs);
  return { summary: items[0], complete: ending.outcome === 'complete' };
}

async function readAll<Item>(
  search: Search<Item>,
  { signal }: LookupBounds,
  needs: AskNeeds,
): Promise<Rows<Item>> {
  const items: Item[] = [];
  const ending = await readSlices(search, (slice) => items.push(...slice), {
    signal,
    ...needs.settings.pdns,
  });
  return { items, ending };
}

/** Calls back with each slice. Throws `timed-out`, or the reason of the signal. */
export async function readSlices<Item>(
  search: Search<Item>,
  onSlice: (slice: readonly Item[]) => void,
  { signal, queryTimeoutSeconds }: { readonly signal: AbortSignal; readonly queryTimeoutSeconds: number },
): Promise<Ending> {
  const deadline = AbortSignal.timeout(queryTimeoutSeconds * 1000);
  try {
    for (;;) {
      const step = await search.next();
      if (step.done) return step.value;
      onSlice(step.value);
      signal.throwIfAborted();
      if (deadline.aborted)
        throw new Problem(
          'timed-out',
          `The search took more than ${queryTimeoutSeconds} seconds: ask for less, by type, by time or by a longer name.`,
        );
    }
  } finally {
    await search.return({ outcome: 'complete' });
  }
}
