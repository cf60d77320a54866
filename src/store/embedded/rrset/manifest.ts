/**
 * Which runs make up the store, and what each import has done: the only thing that changes in place. A run is there for
 * all processes at the moment its row is, and a batch counts for its import in the same transaction.
 */
import { join } from 'node:path';
import { Problem } from '../../../model/problem.ts';
import type { ImportState, UntoldRun } from '../../rrset-store.ts';
import { type Database, openDatabase, write } from '../database.ts';
import type { ListedRun, RunSummary } from './run-files.ts';

interface RunRow {
  readonly name: string;
  readonly rrsets: number;
  readonly bytes: number;
  readonly min_first: number;
  readonly max_last: number;
  readonly has_trigrams: number;
  readonly checksums: string;
  readonly sequence: number;
  readonly told: number;
}

export interface ImportProgress extends ImportState {
  /** Observations that were durable before; anything else there means that somebody else is importing the same. */
  readonly before: number;
}

export class Manifest {
  readonly database: Database;

  constructor(directory: string) {
    this.database = openDatabase(join(directory, 'manifest.db'), 'rrsets', 'full');
  }

  list(): ListedRun[] {
    const rows = this.database.prepare('select * from run order by name').all() as RunRow[];
    return rows.map(listedRunOf);
  }

  /** Adds a run, if there is one, and for an import what it has now made durable. */
  publish(
    run: RunSummary | undefined,
    progress: ImportProgress | undefined,
    { told }: { readonly told: boolean },
  ): Promise<void> {
    return write(this.database, () => {
      if (run) this.#insert(run, this.#nextSequence(), told);
      if (progress) this.#record(progress);
    });
  }

  /** The untold run with the least sequence. */
  findUntold(): UntoldRun | undefined {
    const row = this.database
      .prepare(
        'select sequence, rrsets, (select max(sequence) from run where told = 0) as greatest from run where told = 0 order by sequence limit 1',
      )
      .get() as { sequence: number; rrsets: number; greatest: number } | undefined;
    return row && { sequence: row.sequence, rrsets: row.rrsets, greatestSequence: row.greatest };
  }

  /** A run that is untold, by its name, which it has alone: a merged run may have taken over its sequence. */
  findUntoldName(sequence: number): string | undefined {
    const statement = this.database.prepare('select name from run where told = 0 and sequence = ?');
    return statement.pluck().get(sequence) as string | undefined;
  }

  markTold(sequence: number): Promise<void> {
    return write(this.database, () => {
      this.database.prepare('update run set told = 1 where sequence = ?').run(sequence);
    });
  }

  /** Puts a merged run in the place of those it was made of. False when another process has taken one of them. */
  replace(merged: RunSummary, of: readonly string[], claimant: string): Promise<boolean> {
    return write(this.database, () => {
      const held = this.database.prepare('select merging_by from run where name = ?').pluck();
      if (!of.every((name) => held.get(name) === claimant)) return false;
      const remove = this.database.prepare('delete from run where name = ? returning sequence').pluck();
      const sequences = of.map((name) => remove.get(name) as number);
      this.#insert(merged, Math.max(...sequences), true);
      return true;
    });
  }

  /** Runs that nobody is merging. */
  listFree(nowMs: number): Promise<ListedRun[]> {
    return write(this.database, () =>
      (
        this.database
          .prepare('select * from run where merging_by is null or merging_until < ? order by name')
          .all(nowMs) as RunRow[]
      ).map(listedRunOf),
    );
  }

  /** Takes runs for merging; false when one of them is taken or gone. */
  claim(names: readonly string[], claimant: string, nowMs: number, untilMs: number): Promise<boolean> {
    return write(this.database, () => {
      const take = this.database.prepare(
        'update run set merging_by = ?, merging_until = ? where name = ? and (merging_by is null or merging_until < ?)',
      );
      const free = this.database
        .prepare('select count(*) from run where name = ? and (merging_by is null or merging_until < ?)')
        .pluck();
      if (!names.every((name) => free.get(name, nowMs) === 1)) return false;
      for (const name of names) take.run(claimant, untilMs, name, nowMs);
      return true;
    });
  }

  /** Who is merging, each by the name of the run it makes. */
  listClaimants(): string[] {
    const statement = this.database.prepare(
      'select distinct merging_by from run where merging_by is not null',
    );
    return statement.pluck().all() as string[];
  }

  release(claimant: string): Promise<void> {
    return write(this.database, () => {
      this.database.prepare('update run set merging_by = null where merging_by = ?').run(claimant);
    });
  }

  findImport(id: string): ImportState | undefined {
    const row = this.database.prepare('select * from import where id = ?').get(id) as
      | { id: string; observations: number; complete: number }
      | undefined;
    return row && { id: row.id, observations: row.observations, complete: row.complete === 1 };
  }

  close(): void {
    this.database.close();
  }

  #nextSequence(): number {
    const statement = this.database.prepare(
      'update last_sequence set sequence = sequence + 1 returning sequence',
    );
    return statement.pluck().get() as number;
  }

  #insert(run: RunSummary, sequence: number, told: boolean): void {
    this.database
      .prepare(
        'insert into run (name, rrsets, bytes, min_first, max_last, has_trigrams, checksums, sequence, told) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(
        run.name,
        run.rrsets,
        run.bytes,
        run.minFirst,
        run.maxLast,
        run.hasTrigrams ? 1 : 0,
        run.checksums.join(' '),
        sequence,
        told ? 1 : 0,
      );
  }

  #record({ id, observations, complete, before }: ImportProgress): void {
    if ((this.findImport(id)?.observations ?? 0) !== before) {
      throw new Problem('already-exists', `another import under the id ${id} is going on`);
    }
    this.database
      .prepare(
        'insert into import (id, observations, complete) values (?, ?, ?) on conflict (id) do update set observations = excluded.observations, complete = excluded.complete',
      )
      .run(id, observations, complete ? 1 : 0);
  }
}

function listedRunOf(row: RunRow): ListedRun {
  return {
    name: row.name,
    rrsets: row.rrsets,
    bytes: row.bytes,
    minFirst: row.min_first,
    maxLast: row.max_last,
    hasTrigrams: row.has_trigrams === 1,
    checksums: row.checksums.split(' ').map(Number),
    sequence: row.sequence,
    told: row.told === 1,
  };
}
