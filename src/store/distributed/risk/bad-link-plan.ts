/** What replacing the links of known bad domains changes, as plain values: a domain may be given more than once, and the last one counts. */

/** A bad domain with the keys of its links. */
export interface BadKeys {
  readonly domain: string;
  readonly weight: number;
  readonly keys: readonly string[];
}

/** The links of a domain that are stored. */
export interface StoredLinks {
  readonly weight: number;
  readonly keys: readonly string[];
}

interface ChangedLink {
  readonly domain: string;
  readonly weight: number;
  readonly key: string;
}

export interface BadLinkPlan {
  /** Keys of the links that a domain gained, lost or has with another weight, at any step. */
  readonly changedKeys: readonly string[];
  readonly removed: readonly ChangedLink[];
  readonly added: readonly ChangedLink[];
  /** The links that are written, with the change of their number of domains. */
  readonly more: ReadonlyMap<string, number>;
  /** Domains as they are afterwards; without keys: no longer bad. */
  readonly final: ReadonlyMap<string, BadKeys>;
}

export function planBadLinks(
  stored: ReadonlyMap<string, StoredLinks>,
  replaced: readonly BadKeys[],
): BadLinkPlan {
  const final = new Map<string, BadKeys>();
  const changedKeys = new Set<string>();
  for (const bad of replaced) {
    const { gone, gained } = differenceOf(final.get(bad.domain) ?? storedKeys(bad.domain, stored), bad);
    for (const key of [...gone, ...gained]) changedKeys.add(key);
    final.set(bad.domain, bad);
  }
  const [removed, added]: [ChangedLink[], ChangedLink[]] = [[], []];
  const more = new Map<string, number>();
  for (const [domain, after] of final) {
    const before = storedKeys(domain, stored);
    const { gone, gained } = differenceOf(before, after);
    for (const key of gone) {
      removed.push({ domain, weight: before.weight, key });
      more.set(key, (more.get(key) ?? 0) - 1);
    }
    for (const key of gained) {
      added.push({ domain, weight: after.weight, key });
      more.set(key, (more.get(key) ?? 0) + 1);
    }
  }
  return { changedKeys: [...changedKeys], removed, added, more, final };
}

function storedKeys(domain: string, stored: ReadonlyMap<string, StoredLinks>): BadKeys {
  return { domain, ...(stored.get(domain) ?? { weight: 0, keys: [] }) };
}

/** A link whose weight changes goes and comes again. */
function differenceOf(
  before: BadKeys,
  after: BadKeys,
): { gone: readonly string[]; gained: readonly string[] } {
  const [had, has] = [new Set(before.keys), new Set(after.keys)];
  const isReweighed = before.weight !== after.weight;
  return {
    gone: [...had].filter((key) => isReweighed || !has.has(key)),
    gained: [...has].filter((key) => isReweighed || !had.has(key)),
  };
}
