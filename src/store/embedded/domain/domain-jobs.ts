/** What threads of the store do for it, and what comes of it. */
import type { ProblemCode } from '../../../model/problem.ts';
import type { Attribute, Condition } from '../../../model/record/condition.ts';
import type { SharedValue, SortOrder, TopValue, UpsertCounts } from '../../domain-store.ts';
import type { Statistics } from './statistics.ts';
import type { TagJob } from './tags.ts';

export type DomainJob =
  /** Each piece is JSON of a list of `RecordUpdate`s. */
  | { readonly kind: 'upsert'; readonly updates: readonly Uint8Array[] }
  | ({ readonly kind: 'tag' } & TagJob)
  | {
      readonly kind: 'search';
      readonly condition: Condition;
      readonly order: SortOrder;
      readonly limit: number;
    }
  | {
      readonly kind: 'top-values';
      readonly ids: Int32Array;
      readonly attribute: Attribute;
      readonly limit: number;
    }
  | { readonly kind: 'average-risks'; readonly values: readonly SharedValue[] }
  | { readonly kind: 'statistics' }
  | { readonly kind: 'verify' };

export interface DomainJobResults {
  upsert: UpsertCounts;
  tag: boolean;
  /** Undefined for more than the limit. */
  search: Int32Array | undefined;
  'top-values': readonly TopValue[];
  'average-risks': readonly (number | undefined)[];
  statistics: Statistics;
  verify: readonly string[];
}

export type Failure =
  | { readonly error: string }
  | { readonly problem: { readonly code: ProblemCode; readonly message: string } };

export type JobAnswer = { readonly id: number } & (
  | Failure
  | { readonly result: unknown }
  | { readonly progress: readonly [done: number, all: number] }
);
