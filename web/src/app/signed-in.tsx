import { Navigate, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { useMe } from '../data/me.ts';
import { ServerError } from '../data/request.ts';
import { Failure, Skeletons } from '../parts/region.tsx';
import { shellWords } from '../words/app.ts';
import { Shell } from './shell.tsx';

/** Pages are for people who are signed in; everybody else is asked to, and comes back to the same address. */
export function SignedIn() {
  const me = useMe();
  const { pathname } = useLocation();
  if (me.data?.setup_needed) return <SettingUp isThere={pathname === '/me'} />;
  if (me.data) return <Shell me={me.data} />;
  if (me.error instanceof ServerError && me.error.status === 401) return <ToSignIn />;
  if (me.isError)
    return (
      <main>
        <Failure error={me.error} what={shellWords.whoYouAre} retry={() => void me.refetch()} />
      </main>
    );
  return <Skeletons count={12} label={shellWords.product} />;
}

const MePage = lazy(async () => ({ default: (await import('../pages/me/me.tsx')).MePage }));

/** Not the page of the address: while that changes it is still the one before, which is refused everything. */
function SettingUp({ isThere }: { isThere: boolean }) {
  return (
    <main id="main">
      {!isThere && <Navigate to="/me" replace />}
      <Suspense>
        <MePage />
      </Suspense>
    </main>
  );
}

/** Once: while the page to sign in loads, the address has changed already. */
function ToSignIn() {
  const navigate = useNavigate();
  useEffect(() => {
    const next = location.pathname.replace(/^\/ui/, '') + location.search;
    void navigate({ to: '/sign-in', search: { next }, replace: true });
  }, [navigate]);
  return null;
}
