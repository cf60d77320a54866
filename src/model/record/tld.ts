/** The effective TLD of a name: `com`, `co.uk`. A public suffix is its own. */
import { findBaseDomain } from '../base-domain.ts';

export function tldOf(domain: string): string {
  const base = findBaseDomain(domain);
  return base === undefined ? domain : base.slice(base.indexOf('.') + 1);
}
