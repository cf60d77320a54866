/** Makes a search ready to run: its condition for the account and the time, and its position, which is bound to both. */
import { fieldProblem } from '../../model/problem.ts';
import type { RecordPart } from '../../model/record/attributes.ts';
import { dependsOnUser } from '../../model/record/condition.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { SortOrder } from '../../store/domain-store.ts';
import type { PositionCodec } from './position.ts';
import type { Search } from './search.ts';
import type { SearchContext } from './search-parameter.ts';
import { conditionOfSearch, type SearchText, searchDigest } from './search-text.ts';

/** Each sort order of Investigate with its default direction. */
export const searchOrders: Readonly<Record<string, SortOrder>> = {
  first_seen_since: { by: 'first_seen', descending: true },
  create_date: { by: 'create_date', descending: true },
  domain: { by: 'domain', descending: false },
  risk_score: { by: 'risk_score', descending: false },
};

export interface PageOptions {
  readonly sortBy?: string | undefined;
  readonly sortDirection?: 'asc' | 'dsc' | undefined;
  readonly position?: string | undefined;
  /** Only smaller than the default. */
  readonly pageSize?: number | undefined;
  readonly parts: readonly RecordPart[];
  readonly countOnly?: boolean | undefined;
}

export interface PrepareNeeds {
  readonly settings: Pick<Settings, 'limits'>;
  readonly positions: PositionCodec;
}

const positionFault =
  'is not a position of this search: send every other parameter unchanged, or start again without position';

/** Throws `invalid-parameters`. */
export function prepareSearch(
  text: SearchText,
  pageOptions: PageOptions,
  context: SearchContext,
  { settings, positions }: PrepareNeeds,
): Search {
  const condition = conditionOfSearch(text, context);
  const order = orderOf(pageOptions);
  const whose = dependsOnUser(condition) ? ` ${context.userId}` : '';
  const owner = {
    accountId: context.accountId,
    /** Few searches have a position. */
    get digest() {
      return searchDigest(text, `${order.by} ${order.descending}${whose}`);
    },
  };
  const position =
    pageOptions.position === undefined ? undefined : positions.find(owner, pageOptions.position);
  if (pageOptions.position !== undefined && position === undefined)
    throw fieldProblem('invalid-parameters', 'position', positionFault);
  const { pageSizeMax } = settings.limits.investigate;
  const pageSize = Math.min(pageOptions.pageSize ?? pageSizeMax, pageSizeMax);
  const { parts, countOnly = false } = pageOptions;
  return { text, condition, order, owner, position, pageSize, parts, countOnly };
}

function orderOf({ sortBy = 'first_seen_since', sortDirection }: PageOptions): SortOrder {
  const standard = searchOrders[sortBy] as SortOrder;
  return sortDirection === undefined ? standard : { ...standard, descending: sortDirection === 'dsc' };
}
