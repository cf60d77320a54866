/** Search, values, investigations and the data behind them. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { feedSearch } from '../../pages/feeds/feed-search.ts';
import { investigationSearch } from '../../pages/investigations/investigation-search.ts';
import { passiveDnsSearch } from '../../pages/passive-dns/passive-dns-search.ts';
import { searchAddress } from '../../pages/search/search-address.ts';
import { tagsSearch } from '../../pages/tags/tags-search.ts';
import { app } from './parents.tsx';

const search = createRoute({
  getParentRoute: () => app,
  path: '/search',
  validateSearch: searchAddress,
  component: lazyRouteComponent(() => import('../../pages/search/search.tsx'), 'SearchPage'),
});

const searchHash = createRoute({
  getParentRoute: () => app,
  path: '/search/h/$hash',
  component: lazyRouteComponent(() => import('../../pages/search/open-hash.tsx'), 'OpenSearchHash'),
});

const address = createRoute({
  getParentRoute: () => app,
  path: '/ip/$ip',
  component: lazyRouteComponent(() => import('../../pages/value/value.tsx'), 'AddressPage'),
});

const nameServer = createRoute({
  getParentRoute: () => app,
  path: '/ns/$host',
  component: lazyRouteComponent(() => import('../../pages/value/value.tsx'), 'NameServerPage'),
});

const email = createRoute({
  getParentRoute: () => app,
  path: '/mail/$email',
  component: lazyRouteComponent(() => import('../../pages/value/value.tsx'), 'EmailPage'),
});

const certificate = createRoute({
  getParentRoute: () => app,
  path: '/cert/$sha1',
  component: lazyRouteComponent(() => import('../../pages/value/value.tsx'), 'CertificatePage'),
});

const investigations = createRoute({
  getParentRoute: () => app,
  path: '/investigations',
  component: lazyRouteComponent(
    () => import('../../pages/investigations/investigations.tsx'),
    'Investigations',
  ),
});

const investigation = createRoute({
  getParentRoute: () => app,
  path: '/investigations/$id',
  validateSearch: investigationSearch,
  component: lazyRouteComponent(
    () => import('../../pages/investigations/investigation.tsx'),
    'InvestigationPage',
  ),
});

const tags = createRoute({
  getParentRoute: () => app,
  path: '/tags',
  validateSearch: tagsSearch,
  component: lazyRouteComponent(() => import('../../pages/tags/tags.tsx'), 'Tags'),
});

const tag = createRoute({
  getParentRoute: () => app,
  path: '/tags/$tag',
  component: lazyRouteComponent(() => import('../../pages/tags/tag.tsx'), 'TagPage'),
});

const passiveDns = createRoute({
  getParentRoute: () => app,
  path: '/pdns',
  validateSearch: passiveDnsSearch,
  component: lazyRouteComponent(() => import('../../pages/passive-dns/passive-dns.tsx'), 'PassiveDns'),
});

const feeds = createRoute({
  getParentRoute: () => app,
  path: '/feeds',
  component: lazyRouteComponent(() => import('../../pages/feeds/feeds.tsx'), 'Feeds'),
});

const feed = createRoute({
  getParentRoute: () => app,
  path: '/feeds/$feed',
  validateSearch: feedSearch,
  component: lazyRouteComponent(() => import('../../pages/feeds/feed.tsx'), 'FeedPage'),
});

export const huntRoutes = [
  search,
  searchHash,
  address,
  nameServer,
  email,
  certificate,
  investigations,
  investigation,
  tags,
  tag,
  passiveDns,
  feeds,
  feed,
] as const;
