/** The search of an investigation: read by the same rules, and charged in the same way, as one of the page Search. */
import { investigationLimits, type SearchQuery } from '../../../model/investigation/investigation.ts';
import { fieldProblem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { conditionOfSearch } from '../../../product/investigate/search-text.ts';
import {
  searchContext,
  searchOfQuery,
  type WebSearch,
  webSearch,
  withQueryNamed,
} from '../search/read-search.ts';
import type { SearchQuery as QueryOnWire } from '../search/search-wire.ts';
import type { WebCaller, WebInput } from '../web-operation.ts';

export interface QueryNeeds {
  readonly settings: Pick<Settings, 'limits'>;
}

export type Asker = Pick<WebInput<unknown, unknown, unknown, WebCaller>, 'caller' | 'nowMs'>;

/** Throws `invalid-parameters` for one that Search would refuse. */
export function readQuery(query: SearchQuery, { caller, nowMs }: Asker, { settings }: QueryNeeds): WebSearch {
  const { queryBytes } = investigationLimits;
  if (Buffer.byteLength(JSON.stringify(query)) > queryBytes)
    throw fieldProblem('invalid-parameters', 'query', `must not be longer than ${queryBytes} bytes`);
  const text = searchOfQuery(query as QueryOnWire);
  const context = searchContext(caller, nowMs, settings);
  return webSearch(
    text,
    withQueryNamed(() => conditionOfSearch(text, context)),
    caller,
  );
}
