/** The two parents of all pages: everything, and everything that needs a session. */
import { createRootRoute, createRoute, Link, Outlet } from '@tanstack/react-router';
import { Empty } from '../../parts/region.tsx';
import { shellWords } from '../../words/app.ts';
import { SignedIn } from '../signed-in.tsx';
import { ToastList } from '../toast-list.tsx';

function NoSuchPage() {
  return (
    <Empty title={shellWords.noSuchPage}>
      <Link to="/triage" className="button">
        {shellWords.toTriage}
      </Link>
    </Empty>
  );
}

export const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <ToastList />
    </>
  ),
  notFoundComponent: NoSuchPage,
});

export const app = createRoute({ getParentRoute: () => root, id: 'app', component: SignedIn });
