/** Whose web site a host belongs to: the domain itself, or the one that it lies under. */
import type { WorldDomain, WorldView } from '../../world-domain.ts';

const labelsMax = 10;

export function findSiteOwner(view: Pick<WorldView, 'find'>, host: string): WorldDomain | undefined {
  const labels = host.split('.').slice(-labelsMax);
  for (let from = 0; from < labels.length - 1; from += 1) {
    const domain = view.find(labels.slice(from).join('.'));
    if (domain) return domain;
  }
  return undefined;
}
