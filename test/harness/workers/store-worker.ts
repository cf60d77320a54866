/**
 * Another process of the installation: executes the store commands it receives as messages, and reports the results.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { CountedLimit } from '../../../src/model/account/limit.ts';
import { openAccountStore } from '../../../src/store/embedded/account-store.ts';
import { openUsageStore } from '../../../src/store/embedded/usage-store.ts';
import { keyVault, openServerSecret } from '../../../src/store/key-vault.ts';
import type { UsageStore } from '../../../src/store/usage-store.ts';

export type Command =
  | { readonly task: 'open'; readonly directory: string }
  /** Starts to write a new database, reports, and exits a moment later. */
  | { readonly task: 'make'; readonly directory: string; readonly file: string; readonly forMs: number }
  | { readonly task: 'secret'; readonly directory: string }
  | ChargeCommand
  /** Charges one at a time until refused, and journals each grant. */
  | (ChargeCommand & { readonly journal: string })
  | { readonly task: 'claim'; readonly directory: string; readonly id: string; readonly times: number };

interface ChargeCommand {
  readonly task: 'charge';
  readonly directory: string;
  readonly limits: readonly CountedLimit[];
  readonly nowMs: number;
}

export type Report = { readonly result: unknown } | { readonly error: string };

/** Concurrent charges, as with concurrent requests. */
const concurrency = 20;

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
      ? await chargeWithJournal(usage, command, command.journal)
      : await chargeUntilRefused(usage, command);
  } finally {
    await usage.close();
  }
}

function make(path: string, forMs: number): string {
  const file = new Sqlite(path);
  file.exec('begin immediate');
  setTimeout(() => file.exec('commit').close(), forMs);
  return 'started';
}

async function claim(usage: UsageStore, id: string, times: number): Promise<number> {
  const claims = Array.from({ length: times }, () =>
    usage.claim([{ id: Buffer.from(id), usesMax: 1 }], 1000, 0),
  );
  return (await Promise.all(claims)).filter(Boolean).length;
}

async function chargeUntilRefused(usage: UsageStore, { limits, nowMs }: ChargeCommand): Promise<number> {
  for (let granted = 0; ; ) {
    const charges = Array.from({ length: concurrency }, () => usage.charge({ limits }, nowMs));
    const outcomes = await Promise.all(charges);
    granted += outcomes.filter((outcome) => outcome.granted).length;
    if (outcomes.some((outcome) => !outcome.granted)) return granted;
  }
}

async function chargeWithJournal(
  usage: UsageStore,
  { limits, nowMs }: ChargeCommand,
  journal: string,
): Promise<void> {
  while ((await usage.charge({ limits }, nowMs)).granted) appendFileSync(journal, '.');
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
