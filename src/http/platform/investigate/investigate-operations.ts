/** The Investigate family: searches under `/v1/intel-investigate`, and what leads on from them: facets, tags, history, dossiers. */
import type { HistoryNeeds } from '../../../product/investigate/history.ts';
import type { DossierNeeds } from '../../assistant/gather-dossier.ts';
import type { Operation } from '../operation/define-operation.ts';
import { dossierOperation } from './dossier-operation.ts';
import { type FacetOperationNeeds, facetOperation } from './facet-operation.ts';
import { historyOperation } from './history-operation.ts';
import { type SearchOperationNeeds, searchOperations } from './search-operations.ts';
import { type TagOperationNeeds, tagOperations } from './tag-operations.ts';

export type InvestigateNeeds = SearchOperationNeeds &
  FacetOperationNeeds &
  TagOperationNeeds &
  HistoryNeeds &
  DossierNeeds;

export function investigateOperations(needs: InvestigateNeeds): readonly Operation[] {
  return [
    ...searchOperations(needs),
    facetOperation(needs),
    historyOperation(needs),
    dossierOperation(needs),
    ...tagOperations(needs),
  ];
}
