/** Refuses what a former holder of a lease writes, from the moment that another one has the lease. */
import type { FencingToken } from '../../lease/fencing-token.ts';
import type { Transaction } from '../postgres/database.ts';

/**
 * Of each token, in order, whether its lease still has this epoch; true where there is none. Until the transaction ends no other worker acquires
 * one of these leases.
 */
export async function admitTokens(
  sql: Transaction,
  tokens: readonly (FencingToken | undefined)[],
): Promise<readonly boolean[]> {
  const leases = [...new Set(tokens.flatMap((token) => token?.lease ?? []))];
  if (leases.length === 0) return tokens.map(() => true);
  const rows = await sql<{ name: string; epoch: number }[]>`
    select name, epoch from lease where name = any(${leases}) order by name for share`;
  const epochs = new Map(rows.map(({ name, epoch }) => [name, epoch]));
  return tokens.map((token) => !token || epochs.get(token.lease) === token.epoch);
}
