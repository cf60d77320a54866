/**
 * The record of a domain as it was at a time: from the present one back through its history. Source and time of each member as far as
 * they are known: of the present from the record, of the past from the change that set it.
 */
import { yieldToEventLoop } from '../../concurrency/event-loop-slices.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import type { DomainStore, FieldChange } from '../../store/domain-store.ts';

export interface RecordAtNeeds {
  readonly domains: Pick<DomainStore, 'findRecords' | 'listChanges'>;
}

export interface FieldAt {
  readonly field: string;
  readonly value: unknown;
  readonly source: string | undefined;
  /** When the source last reported it; for the past, when the value was set. */
  readonly atMs: number | undefined;
  /** When the value came to be what it was; undefined if it was so from the beginning, or longer than the history was read. */
  readonly changedMs: number | undefined;
}

export interface RecordAt {
  /** Undefined if there was no record. */
  readonly fields: readonly FieldAt[] | undefined;
  readonly firstSeenMs: number | undefined;
  /** False if there are more changes than were read: then the fields may be newer than requested. */
  readonly isComplete: boolean;
}

/** Of which the page shows other forms. */
const unshown: ReadonlySet<string> = new Set(['domain', 'sources', 'first_seen', 'data_updated_timestamp']);

const changesPerPage = 100;
const changesMax = 3000;

export async function recordAt(
  domain: string,
  asOfMs: number | undefined,
  needs: RecordAtNeeds,
): Promise<RecordAt> {
  const [record] = await needs.domains.findRecords([domain]);
  const firstSeenMs = record && findMs(record.first_seen);
  if (!record || (asOfMs !== undefined && firstSeenMs !== undefined && asOfMs < firstSeenMs))
    return { fields: undefined, firstSeenMs, isComplete: true };
  const past = new Past(record, asOfMs);
  const isComplete = await readBack(domain, past, needs);
  return { fields: past.fields(), firstSeenMs, isComplete };
}

/** Newest first. False if the limit was reached. */
async function readBack(domain: string, past: Past, { domains }: RecordAtNeeds): Promise<boolean> {
  let last: FieldChange | undefined;
  for (let read = 0; read < changesMax; read += changesPerPage) {
    const from = last ? { beforeMs: last.atMs, beforeId: last.id } : {};
    const page = await domains.listChanges(domain, { ...from, limit: changesPerPage });
    for (const change of page) past.apply(change);
    if (page.length < changesPerPage) return true;
    last = page.at(-1);
    await yieldToEventLoop();
  }
  return false;
}

class Past {
  readonly #asOfMs: number | undefined;
  readonly #values: Map<string, unknown>;
  readonly #sources: NonNullable<DomainRecord['sources']>;
  /** The latest change of each member up to the time. */
  readonly #changes = new Map<string, FieldChange>();
  /** Members that changed since the time. */
  readonly #changedSince = new Set<string>();

  constructor(record: DomainRecord, asOfMs: number | undefined) {
    this.#asOfMs = asOfMs;
    this.#values = new Map(Object.entries(record));
    this.#sources = record.sources ?? {};
  }

  apply(change: FieldChange): void {
    const { field, before, atMs } = change;
    if (this.#asOfMs === undefined || atMs <= this.#asOfMs) {
      if (!this.#changes.has(field)) this.#changes.set(field, change);
      return;
    }
    this.#changedSince.add(field);
    if (before === undefined) this.#values.delete(field);
    else this.#values.set(field, before);
  }

  fields(): readonly FieldAt[] {
    return [...this.#values]
      .filter(([field]) => !unshown.has(field))
      .map(([field, value]) => ({ field, value, ...this.#originOf(field) }));
  }

  #originOf(field: string): Pick<FieldAt, 'source' | 'atMs' | 'changedMs'> {
    const change = this.#changes.get(field);
    const changedMs = change?.atMs;
    const present = this.#changedSince.has(field) ? undefined : this.#sources[field];
    const atMs = this.#asOfMs === undefined ? findMs(present?.at) : changedMs;
    return { source: present?.collector ?? change?.source, atMs: atMs ?? changedMs, changedMs };
  }
}

function findMs(iso: string | undefined): number | undefined {
  return iso === undefined ? undefined : Date.parse(iso);
}
