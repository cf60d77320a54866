/** Which dialog of the page of people is open, and about whom. */
import { definedOnly, oneOf, oneText } from '../../../data/address.ts';

export const peopleDialogs = ['invite', 'change', 'factors', 'remove'] as const;
export type PeopleDialog = (typeof peopleDialogs)[number];

export interface PeopleSearch {
  readonly do?: PeopleDialog;
  /** The id of a person. */
  readonly person?: string;
}

export function peopleSearch(raw: Readonly<Record<string, unknown>>): PeopleSearch {
  const dialog = oneOf(raw['do'], peopleDialogs);
  const person = dialog === undefined || dialog === 'invite' ? undefined : oneText(raw['person']);
  const isWhole = dialog === 'invite' || person !== undefined;
  return definedOnly({ do: isWhole ? dialog : undefined, person });
}
