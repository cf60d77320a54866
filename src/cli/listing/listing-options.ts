/** The options of output that every listing has, and what they mean together. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { collect } from '../argument-readers.ts';

export interface ListingOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly fields?: readonly string[];
  readonly sort?: SortOrder;
  readonly output?: string;
  readonly quiet?: boolean;
  /** `--no-color` sets it to false. */
  readonly color?: boolean;
}

export interface SortOrder {
  readonly field: string;
  readonly descending: boolean;
}

export type Format = 'table' | 'ndjson' | 'csv';

export function withListing(command: Command): Command {
  return command
    .optionsGroup('Output:')
    .option('--json', 'print JSON, one object per line; the default in a pipe')
    .option('--csv', 'print CSV with a header line')
    .addOption(fieldsOption())
    .option('--sort <field>', 'sort by a field; FIELD:desc or -FIELD for the highest first', readSort)
    .option('-o, --output <file>', 'write to a file; .csv in its name means CSV')
    .option('-q, --quiet', 'no notes on standard error')
    .option('--no-color', 'no colours; the variable NO_COLOR does the same');
}

export function fieldsOption(): Option {
  const description = 'only these fields, such as domain,risk_score or ip.address';
  return new Option('--fields <names...>', description).argParser(collect(readField));
}

/** `inPipe`: what a pipe gets by default. */
export function formatOf(
  { json, csv, output }: Pick<ListingOptions, 'json' | 'csv' | 'output'>,
  isTerminal: boolean,
  inPipe: Format = 'ndjson',
): Format {
  if (csv) return 'csv';
  if (json) return 'ndjson';
  if (output?.endsWith('.csv')) return 'csv';
  return isTerminal && (output === undefined || output === '-') ? 'table' : inPipe;
}

function readField(text: string): string {
  if (/^[\w:.-]{1,100}$/.test(text)) return text;
  throw new InvalidArgumentError('Expected names of fields such as domain,risk_score.');
}

function readSort(text: string): SortOrder {
  const [, minus, field = '', order] = /^(-?)([\w:.]+?)(?::(asc|desc))?$/.exec(text) ?? [];
  if (field === '') throw new InvalidArgumentError('Expected a field such as risk_score:desc.');
  return { field, descending: minus === '-' || order === 'desc' };
}
