import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { plain } from '../data/foreign.ts';
import { type Me, meKey, readMe } from '../data/me.ts';
import { session } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { SignInForm } from '../pages/entry/sign-in-form.tsx';
import { SignOnButtons } from '../pages/entry/sign-on-buttons.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useStable } from '../parts/use-stable.ts';
import { sessionWords } from '../words/app.ts';

/** The page below stays as it is; what was decided meanwhile waits and is sent after signing in. */
export function SessionEnded({ me }: { me: Me }) {
  const client = useQueryClient();
  const need = useStore(session.need);
  const restore = async () => {
    const now = await readMe();
    // Somebody else has signed in: nothing of this page is theirs.
    if (plain(now.person.name) !== plain(me.person.name)) location.assign('/ui/');
    client.setQueryData(meKey, now);
    session.restore();
    await client.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
  };
  useSignInElsewhere(need !== undefined, me.signed_in, () => void restore());
  if (need === undefined) return null;
  const title = need === 'ended' ? sessionWords.ended : sessionWords.again;
  return (
    <Dialog label={title} close={() => undefined} stays>
      <h2>{title}</h2>
      <p>{need === 'ended' ? sessionWords.nothingLost : sessionWords.recentNeeded}</p>
      <SignInForm name={plain(me.person.name)} done={() => void restore()} />
      <SignOnButtons inOtherTab />
    </Dialog>
  );
}

/** Whether somebody signed in, in another tab, is known when this one is seen again. */
function useSignInElsewhere(isNeeded: boolean, before: Me['signed_in'], restore: () => void): void {
  const latest = useStable(restore);
  useEffect(() => {
    if (!isNeeded) return;
    const check = () =>
      void readMe().then(
        (now) => plain(now.signed_in) !== plain(before) && latest(),
        () => undefined,
      );
    window.addEventListener('focus', check);
    return () => window.removeEventListener('focus', check);
  }, [isNeeded, before, latest]);
}
