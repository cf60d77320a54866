/** Counts searches of an investigation again: what they match now. A count is kept for a minute. */
import { minuteMs } from '../../../model/durations.ts';
import type { SearchCount, SearchNode } from '../../../model/investigation/investigation.ts';
import { dependsOnUser } from '../../../model/record/condition.ts';
import { countSearch } from '../../../product/investigations/count-search.ts';
import { getInvestigation, type InvestigationNeeds } from '../../../product/investigations/investigations.ts';
import type { InvestigationStore } from '../../../store/desk/investigation-store.ts';
import { searchProduct } from '../search/charged-searches.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { type CountQueryNeeds, isRefusal } from './count-query.ts';
import { InvestigationParams } from './investigation-operations.ts';
import { countOnWire } from './investigation-view.ts';
import { CountsAnswer, CountsBody } from './investigation-wire.ts';
import { type Asker, readQuery } from './query-search.ts';

export interface CountOperationNeeds extends InvestigationNeeds, CountQueryNeeds {
  readonly investigations: InvestigationNeeds['investigations'] & Pick<InvestigationStore, 'recordCounts'>;
}

export function countOperation(needs: CountOperationNeeds): WebOperation {
  return defineWebOperation({
    method: 'POST',
    path: '/investigations/:id/counts',
    access: 'read',
    product: searchProduct,
    summary: 'Counts searches again',
    params: InvestigationParams,
    body: CountsBody,
    answer: CountsAnswer,
    handle: async (input) => {
      const { caller, params, body } = input;
      const { nodes } = await getInvestigation(caller, params.id, needs);
      const chosen = nodes.filter(({ id }) => body.ids.includes(id));
      const counted = await countAll(chosen, input, needs);
      await needs.investigations.recordCounts(
        { accountId: caller.account.id, id: params.id },
        counted.filter(({ isForAll }) => isForAll),
      );
      const fresh = new Map(counted.map(({ nodeId, count }) => [nodeId, count]));
      return {
        counts: chosen.map(({ id, countNow }) => ({ id, count_now: countOnWire(fresh.get(id) ?? countNow) })),
      };
    },
  });
}

interface Counted {
  readonly nodeId: string;
  readonly count: SearchCount;
  /** Everybody of the account would count the same. */
  readonly isForAll: boolean;
}

/** As far as the limits of Investigate reach; if that is nowhere, the request fails. */
async function countAll(
  nodes: readonly SearchNode[],
  asker: Asker,
  needs: CountOperationNeeds,
): Promise<readonly Counted[]> {
  const { caller, nowMs } = asker;
  const counted: Counted[] = [];
  for (const { id, query, countNow } of nodes) {
    if (countNow && countNow.atMs <= nowMs && countNow.atMs > nowMs - minuteMs) continue;
    const search = readQuery(query, asker, needs);
    try {
      await needs.charged.chargeView(caller, search, nowMs);
    } catch (error) {
      if (counted.length > 0 && isRefusal(error)) return counted;
      throw error;
    }
    const count = await countSearch(search.condition, needs, nowMs);
    counted.push({ nodeId: id, count, isForAll: !dependsOnUser(search.condition) });
  }
  return counted;
}
