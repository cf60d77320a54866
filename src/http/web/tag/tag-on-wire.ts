/** Tags in the words of the web UI. */
import type { ListedTag } from '../../../product/investigate/tag-definitions.ts';
import type { Tag } from '../../../store/domain/tag-store.ts';
import type { TagOfDomain, TagView } from './tag-wire.ts';

const time = (ms: number): string => new Date(ms).toISOString();
const timeOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : time(ms));

export function tagOfDomainOnWire({ label, scope, colour, taggedMs, expiresMs }: Tag): TagOfDomain {
  return { label, scope, colour, tagged_at: time(taggedMs), expires_at: timeOrNull(expiresMs) };
}

export function tagOnWire(tag: ListedTag): TagView {
  const { id, label, scope, colour, domains, averageRisk, expiresMs, by, createdMs, usedMs } = tag;
  return {
    id,
    label,
    scope,
    colour,
    domains,
    average_risk: averageRisk === undefined ? null : Math.round(averageRisk * 10) / 10,
    expires_at: timeOrNull(expiresMs),
    by: by ?? null,
    created_at: time(createdMs),
    used_at: time(usedMs),
  };
}
