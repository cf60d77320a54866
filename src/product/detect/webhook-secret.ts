/**
 * The secret that signs deliveries to a webhook, derived from the seed of the subscription and a key outside the database: a copy of the database
 * alone cannot sign.
 */
import { createHmac } from 'node:crypto';
import type { Subscription } from '../../model/detect/watchlist.ts';

export function webhookSecret(seed: string, linkKey: Buffer): string {
  return `ngw_${createHmac('sha256', linkKey).update(`webhook ${seed}`).digest('hex')}`;
}

/** Whether somebody could verify it: other services do not. */
export function isSigned({ by, format }: Pick<Subscription, 'by' | 'format'>): boolean {
  return by === 'webhook' && format === 'nameglass';
}
