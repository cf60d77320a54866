import type { CountedLimit } from '../../model/account/limit.ts';

/** The name under which the use of a limit is stored. */
export function counterOf(limit: CountedLimit): string {
  return `${limit.subject}/${limit.name}`;
}
