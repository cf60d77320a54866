/** The exclusion that fits all name servers of a domain, if one provider has them all. */
import type { DecidedDomain } from '../../../model/detect/suggestion.ts';
import { findRegistrableDomain } from '../../../model/registrable-domain.ts';

export function nameServerPatternOf({ nameServers }: Pick<DecidedDomain, 'nameServers'>): string | undefined {
  const [first, ...others] = nameServers;
  const provider = first === undefined ? undefined : findRegistrableDomain(first);
  if (provider === undefined || first === provider) return undefined;
  const ending = `.${provider}`;
  return others.every((host) => host.endsWith(ending)) ? `*${ending}` : undefined;
}
