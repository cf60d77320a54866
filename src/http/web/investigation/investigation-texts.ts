/** Names, notes and findings as they are stored. */
import { fieldProblem, Problem } from '../../../model/problem.ts';
import { getDomainName } from '../../../product/investigate/requested-domain.ts';
import { getValue } from '../../../product/investigate/value/value-kinds.ts';
import type { NewItem as StoredItem } from '../../../store/desk/investigation-store.ts';
import type { NewItem } from './investigation-wire.ts';

const control = /\p{Cc}/u;

/** One line. */
export function lineText(field: string, text: string): string {
  const trimmed = text.toWellFormed().trim();
  if (trimmed === '') throw fieldProblem('invalid-parameters', field, 'must not be blank');
  if (control.test(trimmed))
    throw fieldProblem('invalid-parameters', field, 'must be one line without control characters');
  return trimmed;
}

export function noteText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\n\t]/gu, ' ')
    .trim();
}

/** A finding in the normal form of its kind, so that it is found again, and added once. */
export function readItem({ kind, value, note = '' }: NewItem, field: string): StoredItem {
  return { kind, value: readValue(kind, lineText(field, value), field), note: noteText(note) };
}

function readValue(kind: NewItem['kind'], value: string, field: string): string {
  if (kind === 'text') return value;
  if (kind === 'domain') return getDomainName(field, value);
  try {
    return getValue(kind, kind === 'email' ? value.toLowerCase() : value);
  } catch (error) {
    const [message] = (error instanceof Problem ? error.fields?.['value'] : undefined) ?? [];
    if (message === undefined) throw error;
    throw fieldProblem('invalid-parameters', field, message);
  }
}
