/** Pages that need no session. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signInPageSearch } from '../../pages/entry/sign-in-page-search.ts';
import { root } from './parents.tsx';

const enter = createRoute({
  getParentRoute: () => root,
  path: '/enter',
  component: lazyRouteComponent(() => import('../../pages/entry/enter.tsx'), 'Enter'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInPageSearch,
  component: lazyRouteComponent(() => import('../../pages/entry/sign-in.tsx'), 'SignIn'),
});

export const entryRoutes = [enter, signIn] as const;
