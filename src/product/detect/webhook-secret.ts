/**
 * What signs the deliveries to a webhook: made of the subscription's seed and a key that is not in the database, so a copy of the
 * database alone signs nothing.
 */
import { createHmac } from 'node:crypto';

export function webhookSecret(seed: string, linkKey: Buffer): string {
  return `ngw_${createHmac('sha256', linkKey).update(`webhook ${seed}`).digest('hex')}`;
}
