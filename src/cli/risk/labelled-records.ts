/** The option `--records`: reads labelled records from a file or from the data directory. */
import type { Command } from 'commander';
import type { LabelledRecord } from '../../../tools/risk-model/record-rows.ts';
import { Problem } from '../../model/problem.ts';
import { errorReporter } from '../import/error-reporter.ts';
import type { CliNeeds } from '../needs.ts';
import { withStores } from '../with-stores.ts';
import { scanLabelledRecords } from './labelled-record-file.ts';
import { scanStoredRecords } from './stored-records.ts';

export interface RecordOptions {
  readonly records?: string;
}

const stored = 'stored';
const errorsShown = 20;

export function withRecords(command: Command): Command {
  return command.option(
    '--records <file>',
    'labelled records, one per line; "stored" uses the records in the data directory, labelled by reputation lists',
  );
}

export const recordsHelp = `
A line of --records is a record as for \`import records\` (docs/api/record.md), with "labels" (["good"], or one or more of "phishing",
"malware", "spam") and optionally "observed" (the time of observation, to which ages are relative) and "weight" (the sample weight).
`;

/** Passes each record to `accept`, until that returns false. */
export async function readRecords(
  options: RecordOptions & { readonly records: string },
  needs: CliNeeds,
  accept: (labelled: LabelledRecord) => boolean,
): Promise<void> {
  const nowMs = needs.clock.now();
  let count = 0;
  const acceptAll = (batch: readonly LabelledRecord[]) => {
    count += batch.length;
    return batch.every(accept);
  };
  if (options.records === stored)
    await withStores(options, needs, async (stores) => {
      for await (const batch of scanStoredRecords(stores, nowMs)) if (!acceptAll(batch)) break;
    });
  else {
    const errors = errorReporter(errorsShown);
    let malformed = 0;
    for await (const lines of scanLabelledRecords(options.records, nowMs)) {
      const read: LabelledRecord[] = [];
      for (const { position, outcome } of lines)
        if (typeof outcome !== 'string') read.push(outcome);
        else {
          malformed += 1;
          errors.report(position, outcome);
        }
      if (!acceptAll(read)) break;
    }
    if (malformed > errorsShown)
      process.stderr.write(`${malformed.toLocaleString('en')} malformed lines were skipped\n`);
  }
  if (count === 0)
    throw new Problem('invalid-parameters', `there are no labelled records in ${options.records}`);
}
