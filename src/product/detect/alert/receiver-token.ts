/** The token that a receiver wants to see, stored encrypted and bound to the URL of the receiver. */
import type { Subscription } from '../../../model/detect/watchlist.ts';
import { Problem } from '../../../model/problem.ts';
import { tokenVault } from '../../../store/key-vault.ts';

export function sealToken(token: string, target: string, linkKey: Buffer): string {
  return tokenVault(linkKey).seal(token, target).toString('base64');
}

/** Throws the Problem `unavailable` where the server has another secret than the one that it was stored with. */
export function findToken(
  { target, options }: Pick<Subscription, 'target' | 'options'>,
  linkKey: Buffer,
): string | undefined {
  if (options.sealedToken === undefined) return undefined;
  try {
    return tokenVault(linkKey).open(Buffer.from(options.sealedToken, 'base64'), target);
  } catch (error) {
    throw new Problem('unavailable', (error as Error).message, { cause: error });
  }
}
