/** All tables that are copied, in this order, and all others with the reason. A table that is in neither list fails a test. */
import type { SchemaPart } from '../store/distributed/postgres/migrations.ts';
import type { CopiedDatabase } from '../store/embedded/copy/copied-databases.ts';
import type { CopiedTable } from './copied-table.ts';
import { accountTables } from './tables/accounts.ts';
import { detectTables } from './tables/detect.ts';
import { deskTables, imageTables, streamTables } from './tables/other.ts';
import { pipelineTables } from './tables/pipeline.ts';
import { recordTables } from './tables/records.ts';
import { usageTables } from './tables/usage.ts';

export const copiedTables: readonly CopiedTable[] = [
  ...accountTables,
  ...deskTables,
  ...detectTables,
  ...pipelineTables,
  ...recordTables,
  ...streamTables,
  ...imageTables,
  ...usageTables,
];

const indexOfRecords = 'made anew from the records';
const ofProcesses = 'belongs to processes that have ended';
const ofPages = 'pages of a list that somebody reads, for some minutes';
const linesOfStreams = 'copied with the lines of streams';

/** Tables of the embedded stores, by database. */
export const embeddedLeftOut: Readonly<Partial<Record<CopiedDatabase, Readonly<Record<string, string>>>>> = {
  watchlist: { list_snapshot: ofPages },
  names: { fence: ofProcesses },
  jobs: { lease: ofProcesses },
  domains: Object.fromEntries(
    [
      'salt',
      'value',
      'value_chunk',
      'number_chunk',
      'record_keys',
      'past_text',
      'text_value',
      'trigram',
      'pending_posting',
      'posting_state',
      'whois',
      'past_whois',
      'name_part',
      'value_part',
    ].map((table) => [table, indexOfRecords]),
  ),
  streams: {
    stream: linesOfStreams,
    segment: linesOfStreams,
    unsynced: linesOfStreams,
    journal: linesOfStreams,
    fence: ofProcesses,
  },
};

export const distributedLeftOut: Readonly<Record<string, string>> = {
  schema_migration: 'made by "store migrate"',
  store_copy: 'made by the copy',
  store_copy_part: 'made by the copy',
  write_id: ofProcesses,
  unused_object: 'objects that no row names',
  lease: ofProcesses,
  host_slot: ofProcesses,
  process_report: ofProcesses,
  account_lock: 'made when it is needed',
  audit_head: 'made with the audit log',
  usage_call: ofProcesses,
  list_snapshot: ofPages,
  result_snapshot: ofPages,
  record_state: 'the numbers in it are set with the tables that they are of',
  record_value: indexOfRecords,
  record_value_page: indexOfRecords,
  record_number_page: indexOfRecords,
  record_text_value: indexOfRecords,
  record_whois: indexOfRecords,
  record_past_whois: indexOfRecords,
  stream: linesOfStreams,
  stream_chunk: linesOfStreams,
  stream_segment: linesOfStreams,
  range_lease: ofProcesses,
  archive_file: 'copied with the files of archives',
};

/** Parts of the schema with tables of passive DNS, which is not copied. A copy of it would be one more step of `copy-stores.ts`. */
export const leftOutParts: readonly SchemaPart[] = ['rrset', 'segments'];
