/** Evidence packs, their cases, and the check of a pack. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { oneText } from '../../data/address.ts';
import { type Outcome, outcomes } from '../../pages/evidence/case-data.ts';
import { app } from './parents.tsx';

const cases = createRoute({
  getParentRoute: () => app,
  path: '/evidence',
  validateSearch: (raw: Record<string, unknown>): { outcome?: Outcome } => {
    const outcome = outcomes.find((one) => one === oneText(raw['outcome']));
    return outcome === undefined ? {} : { outcome };
  },
  component: lazyRouteComponent(() => import('../../pages/evidence/cases.tsx'), 'Cases'),
});

const verify = createRoute({
  getParentRoute: () => app,
  path: '/evidence/verify',
  component: lazyRouteComponent(() => import('../../pages/evidence/verify.tsx'), 'VerifyPage'),
});

const one = createRoute({
  getParentRoute: () => app,
  path: '/evidence/$id',
  component: lazyRouteComponent(() => import('../../pages/evidence/case.tsx'), 'CasePage'),
});

export const evidenceRoutes = [cases, verify, one] as const;
