import { createRouter } from '@tanstack/react-router';
import { parseSearch, type RawSearch, stringifySearch } from '../data/address.ts';
import { accountRoutes } from './routes/account-routes.ts';
import { detectRoutes } from './routes/detect-routes.ts';
import { entryRoutes } from './routes/entry-routes.ts';
import { evidenceRoutes } from './routes/evidence-routes.ts';
import { huntRoutes } from './routes/hunt-routes.ts';
import { app, root } from './routes/parents.tsx';

export const router = createRouter({
  routeTree: root.addChildren([
    app.addChildren([...detectRoutes, ...huntRoutes, ...evidenceRoutes, ...accountRoutes]),
    ...entryRoutes,
  ]),
  basepath: '/ui',
  parseSearch,
  stringifySearch: (search) => stringifySearch(search as RawSearch),
  defaultPreload: 'intent',
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
