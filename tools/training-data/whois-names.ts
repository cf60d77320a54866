/**
 * The names of the WHOIS samples in the shared data set, as ordinary names for `nameglass risk train --good`:
 * `node tools/training-data/whois-names.ts > whois-names.txt`. The half on which the record model is evaluated is left out.
 */
import { isTrainedOn, whoisRecords } from './registered-records.ts';

for (const labelled of whoisRecords().filter(isTrainedOn)) console.log(labelled.record.domain);
