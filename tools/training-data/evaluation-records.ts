/**
 * The half of the shared data set's records that the package's model was not trained on, and ordinary registrations to compare them with:
 * `node tools/training-data/evaluation-records.ts > records.ndjson`, then `nameglass risk eval --records records.ndjson --match-tlds`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isHeldOut } from '../risk-model/held-out.ts';
import type { LabelledRecord } from '../risk-model/record-rows.ts';
import {
  badRecords,
  isTrainedOn,
  newlyRegistered,
  recordLine,
  sharedData,
  whoisRecords,
} from './registered-records.ts';

const feedMs = Date.parse('2026-08-16T22:00:00Z');

/** Of all generic registrations of some days, without those known to be bad, the names that the name model was not trained on. */
export function fullFeed(): readonly LabelledRecord[] {
  const file = join(sharedData, 'risk/newly-registered-full-feed-2026-08.txt.gz');
  const registered = gunzipSync(readFileSync(file)).toString('latin1').split('\n').filter(Boolean);
  return registered
    .filter(isHeldOut)
    .map((domain) => ({ record: { domain, create_date: '2026-08-13' }, nowMs: feedMs, labels: 'good' }));
}

if (import.meta.main) {
  const known = [...badRecords(), ...whoisRecords(), ...newlyRegistered()].filter((one) => !isTrainedOn(one));
  for (const labelled of [...known, ...fullFeed()]) console.log(recordLine(labelled));
}
