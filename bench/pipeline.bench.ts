/**
 * How data comes in: names through discovery, domains through the collectors, certificates out of their logs. Each beside what this machine
 * does at best with the least of the same, in the same run.
 */
import type { Bench } from './harness/benchmark.ts';
import { collectionsBesideApi } from './pipeline/beside-api.ts';
import { benchCertificates } from './pipeline/certificates.ts';
import { benchCollections } from './pipeline/collections.ts';
import { benchNames } from './pipeline/names.ts';

export const bench: Bench = async (context) => [
  ...(await benchNames(context)),
  ...(await benchCollections(context)),
  ...(await collectionsBesideApi(context)),
  ...(await benchCertificates(context)),
];
