/** The domain parameters of operations that accept nothing but domains. */
import { fieldProblem } from '../../model/problem.ts';
import { findHostName } from './value-rules.ts';

/** From a comma-separated list, without duplicates. */
export function getDomainNames(field: string, list: string, namesMax: number): readonly string[] {
  const written = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (written.length === 0) throw fieldProblem('invalid-parameters', field, 'must have at least one domain');
  if (written.length > namesMax)
    throw fieldProblem('invalid-parameters', field, `must not have more than ${namesMax} domains`);
  return [...new Set(written.map((name) => getDomainName(field, name)))];
}

export function getDomainName(field: string, text: string): string {
  const name = findHostName(text);
  if (name === undefined) throw fieldProblem('invalid-parameters', field, 'must be a domain name');
  return name;
}
