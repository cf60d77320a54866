/** The people of the account: invited, changed, disabled and removed here. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Invited, usePeople } from '../../../data/account/people.ts';
import { plain } from '../../../data/foreign.ts';
import { useMissing } from '../../../data/me.ts';
import { Failure, Skeletons } from '../../../parts/region.tsx';
import { Text } from '../../../parts/text.tsx';
import { Moment } from '../../../parts/time.tsx';
import { accountWords, peopleWords as words } from '../../../words/account.ts';
import { number } from '../../../words/language.ts';
import { AccountPage } from '../account-page.tsx';
import { OnceField } from '../once-field.tsx';
import type { PeopleSearch } from './people-search.ts';
import { ChangePerson, Invite, RemovePerson, ResetFactors } from './person-dialogs.tsx';
import { PersonPanel } from './person-panel.tsx';

export function People() {
  const missing = useMissing('admin');
  const people = usePeople(missing === undefined);
  const search = useSearch({ from: '/app/account/people' });
  const navigate = useNavigate();
  const [invited, setInvited] = useState<Invited>();
  const go = (next: PeopleSearch) => void navigate({ to: '/account/people', search: next });
  const close = () => go({});
  const all = people.data?.people ?? [];
  const about = all.find(({ id }) => id === search.person);
  return (
    <AccountPage
      title={words.title}
      count={people.data && number(all.length)}
      missing={missing}
      actions={
        <button
          type="button"
          className="primary"
          disabled={!people.data}
          title={missing}
          onClick={() => go({ do: 'invite' })}
        >
          <UserPlus size={15} aria-hidden /> {words.invite}
        </button>
      }
    >
      {people.isLoading && <Skeletons count={8} label={words.loading} />}
      {people.isError && (
        <Failure error={people.error} what={words.what} retry={() => void people.refetch()} />
      )}
      {invited && (
        <InvitedPanel key={plain(invited.link)} invited={invited} done={() => setInvited(undefined)} />
      )}
      {all.map((person) => (
        <PersonPanel
          key={person.id}
          person={person}
          open={(dialog, id) => go({ do: dialog, person: id })}
          invited={setInvited}
        />
      ))}
      {search.do === 'invite' && people.data && (
        <Invite
          close={close}
          made={(one) => {
            setInvited(one);
            close();
          }}
        />
      )}
      {search.do === 'change' && about && <ChangePerson key={about.id} person={about} close={close} />}
      {search.do === 'factors' && about && <ResetFactors person={about} close={close} />}
      {search.do === 'remove' && about && <RemovePerson person={about} close={close} />}
    </AccountPage>
  );
}

/** The link, which nobody sees again. */
function InvitedPanel({ invited, done }: { invited: Invited; done: () => void }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  const { person, link, expires, mailed, mail_error: mailError } = invited;
  return (
    <section ref={panel} className="panel shown-key" tabIndex={-1} aria-labelledby="invited">
      <h2 id="invited">{words.linkTitle(<Text of={person.name} />)}</h2>
      <p>{words.linkHint(<Moment at={plain(expires)} />)}</p>
      <OnceField label={words.linkField} value={plain(link)} copied={words.copied} primary />
      {mailed && <p role="status">{words.mailed}</p>}
      {mailError !== null && (
        <p className="field-error" role="alert">
          <Text of={mailError} />
        </p>
      )}
      <div className="buttons start">
        <button type="button" onClick={done}>
          {accountWords.done}
        </button>
      </div>
    </section>
  );
}
