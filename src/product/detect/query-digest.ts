/** Identifies a list query by its parameters: two requests with the same digest are pages of one list. */
import { createHash } from 'node:crypto';

/** Everything the result depends on except the page. Times as written, because relative ones move. */
export function queryDigest(parameters: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}
