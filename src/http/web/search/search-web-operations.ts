/** The operations of Search, of exports and of the pages of values. */
import type { WebOperation } from '../web-operation.ts';
import { type CatalogueNeeds, catalogueOperations } from './catalogue-operations.ts';
import type { ChargedSearches } from './charged-searches.ts';
import { type ExportNeeds, exportOperation } from './export-operation.ts';
import { type HashOperationNeeds, hashOperations } from './hash-operations.ts';
import { searchOperation } from './search-operation.ts';
import { type ValueOperationNeeds, valueOperation } from './value-operation.ts';
import { countOperation, facetsOperation, type ViewOperationNeeds } from './view-operations.ts';

export type SearchWebNeeds = ViewOperationNeeds &
  CatalogueNeeds &
  HashOperationNeeds &
  ExportNeeds &
  ValueOperationNeeds;

export function searchWebOperations(
  needs: SearchWebNeeds,
  charged: ChargedSearches,
): readonly WebOperation[] {
  return [
    searchOperation(needs, charged),
    countOperation(needs, charged),
    facetsOperation(needs, charged),
    ...catalogueOperations(needs),
    ...hashOperations(needs),
    exportOperation(needs),
    valueOperation(needs),
  ];
}
