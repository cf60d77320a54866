/** What both kinds of stores give to a copy, and to its verification. */

import type { AccountStore } from '../store/account-store.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import type { CopiedRow } from '../store/copy/copied-rows.ts';
import type { StreamMinute, StreamStart } from '../store/copy/copied-streams.ts';
import type { DomainStore } from '../store/domain-store.ts';
import type { StreamName, StreamStore } from '../store/stream-store.ts';
import type { TablePlan } from './table-plan.ts';

export interface OpenStores {
  readonly accounts: Pick<AccountStore, 'checkAudit' | 'close'>;
  readonly streams: StreamStore;
  readonly archives: ArchiveStore;
  readonly domains: DomainStore;
}

export interface ReaderSide extends OpenStores {
  /** What people are shown. */
  readonly location: string;
  /** In the form of the embedded stores, in the order of the key, or in that in which rows must be written. */
  scan(plan: TablePlan, isForCopy: boolean): AsyncGenerator<readonly CopiedRow[]>;
  /** The last number that the table has given; undefined where it gives none. */
  lastNumber(plan: TablePlan): Promise<number | undefined>;
  /** Whether it remembers that number when the row is gone. */
  keepsNumbers(plan: TablePlan): boolean;
  streamStart(stream: StreamName): Promise<StreamStart>;
  listMinutes(stream: StreamName, after: number, limit: number): Promise<readonly StreamMinute[]>;
  /** The first parts of the names of archived files. */
  listArchives(): Promise<readonly string[]>;
  readImage(hash: string): Promise<Buffer>;
  /** Identifies the state of the stores. */
  fingerprint(): Promise<string>;
  findSealedKey(): Promise<{ readonly username: string; readonly sealed: Buffer } | undefined>;
  close(): Promise<void>;
}
