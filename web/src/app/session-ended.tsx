import { useQueryClient } from '@tanstack/react-query';
import { plain } from '../data/foreign.ts';
import { type Me, meKey, readMe } from '../data/me.ts';
import { session } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { SignInForm } from '../pages/entry/sign-in-form.tsx';
import { Dialog } from '../parts/dialog.tsx';

/** The page below stays as it is; what was decided meanwhile waits and is sent after signing in. */
export function SessionEnded({ me }: { me: Me }) {
  const client = useQueryClient();
  const need = useStore(session.need);
  if (need === undefined) return null;
  const title = need === 'ended' ? 'Your session has ended' : 'Please sign in again';
  const restore = async () => {
    const now = await readMe();
    // Somebody else has signed in: nothing of this page is theirs.
    if (plain(now.person.name) !== plain(me.person.name)) location.assign('/ui/');
    client.setQueryData(meKey, now);
    session.restore();
    await client.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
  };
  return (
    <Dialog label={title} close={() => undefined} stays>
      <h2>{title}</h2>
      <p>
        {need === 'ended'
          ? 'Sign in to continue where you are. Nothing is lost.'
          : 'This change needs a recent sign-in.'}
      </p>
      <SignInForm name={plain(me.person.name)} done={() => void restore()} />
    </Dialog>
  );
}
