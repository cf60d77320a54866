/** The products that can be granted to an account, with their default limits. */
import type { ProductGrant } from './account/account.ts';
import { absolute, type Limit, perHour, perMinute, perMonth } from './account/limit.ts';
import type { Settings } from './settings/settings.ts';

/** The nine feeds by their name in paths, with the first part of their product ids. */
export const feedProducts = {
  nod: 'newly-observed-domains-feed',
  nad: 'newly-active-domains-feed',
  noh: 'newly-observed-hosts-feed',
  domainrdap: 'domain-registration-data-access-protocol-feed',
  domaindiscovery: 'real-time-domain-discovery-feed',
  domainrisk: 'real-time-domain-risk',
  domainhotlist: 'real-time-domain-hotlist',
  iprisk: 'real-time-ip-risk',
  iphotlist: 'real-time-ip-hotlist',
} as const;

export type FeedName = keyof typeof feedProducts;

const otherProducts = [
  'account-information',
  'intel-enrich',
  'intel-investigate',
  'intel-detect-monitors',
  'intel-detect-new-domains',
  'intel-detect-watched-domains',
  'intel-detect-ignored-domains',
  'intel-detect-escalate-domains',
  'intel-detect-manage-watchlist-domains',
] as const;

/** `-(api)` is the feed endpoint, `-(s3)` the download of its archives. */
export type ProductId =
  | (typeof otherProducts)[number]
  | `${(typeof feedProducts)[FeedName]}-(${'api' | 's3'})`;

export const productIds: readonly ProductId[] = [
  ...otherProducts,
  ...Object.values(feedProducts).flatMap((feed): ProductId[] => [`${feed}-(api)`, `${feed}-(s3)`]),
];

export function isProductId(text: string): text is ProductId {
  return (productIds as readonly string[]).includes(text);
}

export interface ProductLimits {
  readonly perMinute: number;
  readonly perHour?: number;
  readonly perMonth?: number;
  readonly absolute?: number;
}

type LimitSettings = Pick<Settings, 'limits'>;

function contractLimits(product: ProductId, { limits }: LimitSettings): Partial<ProductLimits> {
  if (product.endsWith('-(api)')) {
    return { perMinute: limits.feed.queriesPerMinute, perHour: limits.feed.queriesPerHour };
  }
  switch (product) {
    case 'intel-detect-monitors':
      return { perHour: limits.detect.monitorsQueriesPerHour };
    case 'intel-detect-new-domains':
      return { perHour: limits.detect.newDomainsQueriesPerHour };
    case 'intel-detect-watched-domains':
      return { perHour: limits.detect.watchedDomainsQueriesPerHour };
    case 'intel-detect-escalate-domains':
      return { perMinute: limits.detect.escalationsPerMinute };
    default:
      return {};
  }
}

const known = new WeakMap<LimitSettings['limits'], WeakMap<ProductGrant, ProductLimits>>();

/** The limits of a granted product: the account's own as a whole, else the contract's; the general limit per minute where they name none. */
export function limitsOf(grant: ProductGrant, settings: LimitSettings): ProductLimits {
  let byGrant = known.get(settings.limits);
  if (!byGrant) known.set(settings.limits, (byGrant = new WeakMap()));
  let limits = byGrant.get(grant);
  if (!limits) {
    const { product, expirationDate: _, ...own } = grant;
    const general = { perMinute: settings.limits.productRequestsPerMinute };
    const hasOwn = Object.values(own).some((limit) => limit !== undefined);
    limits = { ...general, ...(hasOwn ? own : contractLimits(product, settings)) };
    byGrant.set(grant, limits);
  }
  return limits;
}

/** The same limits for the usage store. */
export function countableLimits(limits: ProductLimits): Limit[] {
  return [
    perMinute(limits.perMinute),
    ...(limits.perHour === undefined ? [] : [perHour(limits.perHour)]),
    ...(limits.perMonth === undefined ? [] : [perMonth(limits.perMonth)]),
    ...(limits.absolute === undefined ? [] : [absolute(limits.absolute)]),
  ];
}
