/** `--csv` and `--fields` of listings that read the stores. Without them they print the table that scripts know. */
import type { Command } from 'commander';
import { Listing, type ListingNeeds } from './listing.ts';
import { fieldsOption, type ListingOptions } from './listing-options.ts';

export type SelectionOptions = Pick<ListingOptions, 'json' | 'csv' | 'fields'>;

export function withSelection(command: Command): Command {
  return command
    .option('--json', 'print JSON')
    .option('--csv', 'print CSV with a header line')
    .addOption(fieldsOption());
}

/** Whether the options ask for something else than the usual table or JSON. `rows` are what `--json` prints. */
export async function printSelection(
  rows: readonly object[],
  options: SelectionOptions,
  needs: ListingNeeds,
): Promise<boolean> {
  if (!options.csv && !options.fields) return false;
  const listing = new Listing<object>([], options, needs, 'table');
  for (const row of rows) await listing.add(row);
  await listing.end();
  return true;
}
