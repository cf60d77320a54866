/** Reads what was decided, the latest discoveries first, up to a bound: what is learned is about how things are now. */
import type { DecidedDomain } from '../../../model/detect/suggestion.ts';
import type { SuggestionStore } from '../../../store/detect/suggestion-store.ts';

/** Of each state. */
const domainsMax = 20_000;
const pageDomains = 1000;

export interface DecidedNeeds {
  readonly suggestions: Pick<SuggestionStore, 'listDecided'>;
}

export async function readDecided(
  accountId: string,
  { suggestions }: DecidedNeeds,
): Promise<readonly DecidedDomain[]> {
  const all: DecidedDomain[] = [];
  for (const state of ['watched', 'ignored'] as const) {
    let after: string | undefined;
    for (let read = 0; read < domainsMax; read += pageDomains) {
      const page = await suggestions.listDecided(accountId, state, { after, limit: pageDomains });
      all.push(...page.domains);
      after = page.next;
      if (after === undefined) break;
    }
  }
  return all;
}
