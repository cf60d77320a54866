/** The option `--records`: where labelled records come from, a file or what is stored. */
import type { Command } from 'commander';
import { Problem } from '../../model/problem.ts';
import type { LabelledRecord } from '../../model/risk/train/record-rows.ts';
import { faultTeller } from '../import/fault-teller.ts';
import type { CliNeeds } from '../needs.ts';
import { withStores } from '../with-stores.ts';
import { scanLabelledRecords } from './records-file.ts';
import { scanStoredRecords } from './records-stored.ts';

export interface RecordOptions {
  readonly records?: string;
}

const stored = 'stored';
const faultsShown = 20;

export function withRecords(command: Command): Command {
  return command.option(
    '--records <file>',
    'records with labels, a line each; "stored" takes what lists know of the records in the data directory',
  );
}

export const recordsHelp = `
A line of --records is a record as \`import records\` takes it (docs/api/record.md), with "labels" (["good"], or some of "phishing", "malware",
"spam"), and where they matter "observed" (when it was looked at; ages are counted to then) and "weight" (how much it counts).
`;

/** Takes each of them, until there is no room for more. */
export async function takeRecords(
  options: RecordOptions & { readonly records: string },
  needs: CliNeeds,
  take: (labelled: LabelledRecord) => boolean,
): Promise<void> {
  const nowMs = needs.clock.now();
  let taken = 0;
  const takeAll = (some: readonly LabelledRecord[]) => {
    taken += some.length;
    return some.every(take);
  };
  if (options.records === stored)
    await withStores(options, needs, async (stores) => {
      for await (const some of scanStoredRecords(stores, nowMs)) if (!takeAll(some)) break;
    });
  else {
    const faults = faultTeller(faultsShown);
    let wrong = 0;
    for await (const lines of scanLabelledRecords(options.records, nowMs)) {
      const read: LabelledRecord[] = [];
      for (const { place, outcome } of lines)
        if (typeof outcome !== 'string') read.push(outcome);
        else {
          wrong += 1;
          faults.tell(place, outcome);
        }
      if (!takeAll(read)) break;
    }
    if (wrong > faultsShown)
      process.stderr.write(`${wrong.toLocaleString('en')} lines in all were passed over\n`);
  }
  if (taken === 0)
    throw new Problem('invalid-parameters', `there are no labelled records in ${options.records}`);
}
