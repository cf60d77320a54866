/** Another process of the installation: does with the stores what it is told by messages, and reports the result. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { CountedLimit } from '../../src/model/limit.ts';
import { openAccountStore } from '../../src/store/embedded/account-store.ts';
import { openUsageStore } from '../../src/store/embedded/usage-store.ts';
import { keyVault, openServerSecret } from '../../src/store/key-vault.ts';
import type { UsageStore } from '../../src/store/usage-store.ts';

export type Command =
  | { readonly task: 'open'; readonly directory: string }
  /** Begins to write a new database, reports, and ends a moment later. */
  | { readonly task: 'make'; readonly directory: string; readonly file: string; readonly forMs: number }
  | { readonly task: 'secret'; readonly directory: string }
  | Drawing
  /** Draws one at a time until refused, and writes a line for each grant once it is known. */
  | (Drawing & { readonly journal: string })
  | { readonly task: 'claim'; readonly directory: string; readonly id: string; readonly times: number };

interface Drawing {
  readonly task: 'draw';
  readonly directory: string;
  readonly limits: readonly CountedLimit[];
  readonly nowMs: number;
}

export type Report = { readonly result: unknown } | { readonly error: string };

/** Draws under way at once, as with as many requests. */
const atOnce = 20;

async function perform(command: Command): Promise<unknown> {
  const { directory } = command;
  if (command.task === 'secret') return openServerSecret(directory, '').toString('hex');
  if (command.task === 'open') {
    const accounts = openAccountStore(directory, keyVault(openServerSecret(directory, '')));
    await accounts.close();
    await openUsageStore(directory).close();
    return 'opened';
  }
  if (command.task === 'make') return make(join(directory, command.file), command.forMs);
  const usage = openUsageStore(directory);
  try {
    if (command.task === 'claim') return await claim(usage, command.id, command.times);
    return 'journal' in command
      ? await drawWithJournal(usage, command, command.journal)
      : await drawUntilRefused(usage, command);
  } finally {
    await usage.close();
  }
}

function make(path: string, forMs: number): string {
  const file = new Sqlite(path);
  file.exec('begin immediate');
  setTimeout(() => file.exec('commit').close(), forMs);
  return 'begun';
}

async function claim(usage: UsageStore, id: string, times: number): Promise<number> {
  const claims = Array.from({ length: times }, () => usage.claimOnce(Buffer.from(id), 1000, 0));
  return (await Promise.all(claims)).filter(Boolean).length;
}

async function drawUntilRefused(usage: UsageStore, { limits, nowMs }: Drawing): Promise<number> {
  for (let granted = 0; ; ) {
    const draws = Array.from({ length: atOnce }, () => usage.draw({ limits }, nowMs));
    const outcomes = await Promise.all(draws);
    granted += outcomes.filter((outcome) => outcome.granted).length;
    if (outcomes.some((outcome) => !outcome.granted)) return granted;
  }
}

async function drawWithJournal(
  usage: UsageStore,
  { limits, nowMs }: Drawing,
  journal: string,
): Promise<void> {
  while ((await usage.draw({ limits }, nowMs)).granted) appendFileSync(journal, '.');
}

function report(message: Report | 'ready'): void {
  process.send?.(message);
}

process.on('message', (command: Command) => {
  perform(command).then(
    (result) => report({ result: result ?? null }),
    (error: unknown) =>
      report({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
report('ready');
