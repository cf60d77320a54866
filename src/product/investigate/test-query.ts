/** The two searches that cost nothing, so that clients can be tried out: one by domain, one by address. */
import type { Settings } from '../../model/settings.ts';
import type { SearchText } from './search-text.ts';

export function isTestQuery(search: SearchText, { investigate }: Pick<Settings, 'investigate'>): boolean {
  if ('query' in search || search.parameters.length !== 1) return false;
  const [name, value] = search.parameters[0] as readonly [string, string];
  const free = name === 'domain' ? investigate.testDomain : name === 'ip' ? investigate.testIp : '';
  return free !== '' && value.trim().toLowerCase() === free;
}
