/** The DNS zone of a blocklist: `<selection>.<account>.rpz`. */
import type { Account } from '../../account/account.ts';

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export function zoneName({ id, name }: Pick<Account, 'id' | 'name'>, selection: string): string {
  const folded = name.toLowerCase();
  // Names of accounts may have spaces and other letters, and ids differ in letter case.
  const ofAccount = label.test(folded) ? folded : `x${Buffer.from(id).toString('hex')}`;
  return `${selection}.${ofAccount}.rpz`;
}
