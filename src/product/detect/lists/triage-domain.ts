/** A single domain of a watchlist, notes on it, and who works on it. */
import type { Account, Caller } from '../../../model/account/account.ts';
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import { fieldProblem, Problem } from '../../../model/problem.ts';
import type { PersonStore } from '../../../store/person/person-store.ts';
import type { Note, TriageDomain, TriageStore } from '../../../store/triage-store.ts';

export interface TriageDomainNeeds {
  readonly triage: Pick<TriageStore, 'findTriageDomain'>;
}

function noSuchDomain(): Problem {
  return new Problem('not-found', 'There is no such domain on the watchlist.');
}

export async function getTriageDomain(
  account: Account,
  id: WatchlistId,
  { triage }: TriageDomainNeeds,
): Promise<TriageDomain> {
  const domain = await triage.findTriageDomain(account.id, id);
  if (!domain) throw noSuchDomain();
  return domain;
}

/** What cannot be seen is no note. */
export async function addNote(
  { account, user }: Caller,
  { id, text }: { readonly id: WatchlistId; readonly text: string },
  { triage }: { readonly triage: Pick<TriageStore, 'addNote'> },
  nowMs: number,
): Promise<Note> {
  const note = await triage.addNote(account.id, id, noteText('text', text), {
    username: user.username,
    atMs: nowMs,
  });
  if (!note) throw noSuchDomain();
  return note;
}

export function noteText(field: string, text: string): string {
  const trimmed = text.toWellFormed().trim();
  if (trimmed === '') throw fieldProblem('invalid-parameters', field, 'must not be blank');
  return trimmed;
}

/** Whom a domain can be assigned to: people of the account who may sign in and triage, by name. */
export async function listAssignees(
  account: Account,
  { people }: { readonly people: Pick<PersonStore, 'listPeople'> },
): Promise<readonly string[]> {
  const found = await people.listPeople({ accountId: account.id, limit: assigneesMax });
  return found
    .filter(({ person }) => person.disabledMs === undefined)
    .filter(({ person }) => person.permissions.some((one) => one === 'triage' || one === 'admin'))
    .map(({ person }) => person.name)
    .sort();
}

const assigneesMax = 1000;

/** Null: nobody. */
export async function assignDomain(
  account: Account,
  { id, person: name }: { readonly id: WatchlistId; readonly person: string | null },
  {
    triage,
    people,
  }: {
    readonly triage: Pick<TriageStore, 'assignDomain'>;
    readonly people: Pick<PersonStore, 'findPerson'>;
  },
): Promise<void> {
  const found = name === null ? undefined : await people.findPerson(name);
  if (name !== null && found?.account.id !== account.id)
    throw fieldProblem('invalid-parameters', 'person', 'is not a person of the account');
  if (!(await triage.assignDomain(account.id, id, found?.person.name))) throw noSuchDomain();
}
