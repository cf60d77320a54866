/** The search that was saved or chosen last: the next one that is saved goes below it, unless the person says otherwise. */
import { createStore } from '../store.ts';

export interface BranchPoint {
  readonly investigationId: string;
  readonly nodeId: string | undefined;
}

export const branchPoint = createStore<BranchPoint | undefined>(undefined);
