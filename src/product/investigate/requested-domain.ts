/** The domain parameters of operations that accept nothing but domains. */
import { fieldProblem } from '../../model/problem.ts';
import { findDomainName, notDomainName } from '../../model/record/requested-domains.ts';

/** Without duplicates. */
export function getDomainNames(
  field: string,
  written: readonly string[],
  namesMax: number,
): readonly string[] {
  if (written.length === 0) throw fieldProblem('invalid-parameters', field, 'must have at least one domain');
  if (written.length > namesMax)
    throw fieldProblem('invalid-parameters', field, `must not have more than ${namesMax} domains`);
  return [...new Set(written.map((name) => getDomainName(field, name)))];
}

export function getDomainName(field: string, text: string): string {
  const name = findDomainName(text);
  if (name === undefined) throw fieldProblem('invalid-parameters', field, notDomainName(text));
  return name;
}
