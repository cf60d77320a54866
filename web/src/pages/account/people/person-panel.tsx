import {
  type Invited,
  type Person,
  useChangePerson,
  useInviteAgain,
  useSignOutPerson,
} from '../../../data/account/people.ts';
import { plain } from '../../../data/foreign.ts';
import { useMe } from '../../../data/me.ts';
import { showToast } from '../../../data/toasts.ts';
import { spelledOut } from '../../../data/unseen.ts';
import { Text } from '../../../parts/text.tsx';
import { Ago } from '../../../parts/time.tsx';
import { roleWords, peopleWords as words } from '../../../words/account.ts';
import { timeWords } from '../../../words/parts.ts';
import { showFailure } from '../../triage/decision-messages.tsx';
import type { PeopleDialog } from './people-search.ts';
import { roleOf } from './roles.ts';

interface PersonPanelProps {
  readonly person: Person;
  readonly open: (dialog: PeopleDialog, id: string) => void;
  readonly invited: (invited: Invited) => void;
}

export function PersonPanel({ person, open, invited }: PersonPanelProps) {
  const me = useMe().data;
  const isMe = me !== undefined && plain(me.person.name) === plain(person.name);
  return (
    <section className="panel key-panel" aria-label={spelledOut(person.name)}>
      <div className="key-head">
        <h2>
          <Text of={person.name} />
        </h2>
        {isMe && <span className="chip">{words.you}</span>}
        {person.api_owner && <span className="chip">{words.owner}</span>}
        {person.operator && <span className="chip">{words.operator}</span>}
        {person.disabled !== null && <span className="chip bad">{words.disabled}</span>}
      </div>
      <PersonFacts person={person} />
      <PersonActions person={person} isMe={isMe} open={open} invited={invited} />
    </section>
  );
}

function PersonFacts({ person }: { person: Person }) {
  const { permissions, credentials, sessions, seen, created, email } = person;
  const role = roleOf(permissions);
  const ways = [
    ...(credentials.password ? [credentials.totp ? words.passwordAndCode : words.password] : []),
    ...(credentials.passkeys > 0 ? [words.passkeys(credentials.passkeys)] : []),
    ...(credentials.identities > 0 ? [words.signOn] : []),
  ];
  return (
    <dl className="key-facts">
      <dt>{words.facts.role}</dt>
      <dd>
        {roleWords.names[role ?? 'custom']} <small className="pale">{permissions.join(', ')}</small>
      </dd>
      <dt>{words.facts.email}</dt>
      <dd>{email === null ? words.noEmail : <Text of={email} />}</dd>
      <dt>{words.facts.signsIn}</dt>
      <dd>{ways.length === 0 ? words.linkOnly : ways.join(', ')}</dd>
      <dt>{words.facts.sessions}</dt>
      <dd>
        {sessions === 0 || seen === null
          ? words.notSignedIn
          : words.sessions(sessions, <Ago at={seen} suffix={timeWords.ago} />)}
      </dd>
      <dt>{words.facts.added}</dt>
      <dd>
        <Ago at={created} suffix={timeWords.ago} />
      </dd>
    </dl>
  );
}

function PersonActions({ person, isMe, open, invited }: PersonPanelProps & { isMe: boolean }) {
  const me = useMe().data;
  const change = useChangePerson(person.id);
  const link = useInviteAgain(person.id);
  const signOut = useSignOutPerson(person.id);
  const isDisabled = person.disabled !== null;
  const name = spelledOut(person.name);
  const whyNot =
    person.api_owner && me?.api_owner !== true
      ? words.ownerOnly
      : person.operator && me?.operator !== true
        ? words.operatorOnly
        : undefined;
  const notMe = whyNot ?? (isMe ? words.notYourself : undefined);
  const setDisabled = () =>
    change.mutate(
      { disabled: !isDisabled },
      {
        onSuccess: () => showToast({ text: isDisabled ? words.enabledNow : words.disabledNow }),
        onError: showFailure,
      },
    );
  return (
    <div className="buttons start">
      <Action
        text={words.change}
        label={words.changeOf(name)}
        why={whyNot}
        run={() => open('change', person.id)}
      />
      <Action
        text={words.link}
        label={words.linkOf(name)}
        why={whyNot ?? (isDisabled ? words.disabled : undefined)}
        run={() => link.mutate(undefined, { onSuccess: invited, onError: showFailure })}
      />
      <Action
        text={words.signOut}
        label={words.signOutOf(name)}
        why={whyNot}
        run={() =>
          signOut.mutate(undefined, {
            onSuccess: ({ ended }) => showToast({ text: words.signedOut(ended) }),
            onError: showFailure,
          })
        }
      />
      <Action
        text={words.factors}
        label={words.factorsOf(name)}
        why={notMe}
        run={() => open('factors', person.id)}
      />
      <Action
        text={isDisabled ? words.enable : words.disable}
        label={isDisabled ? words.enableOf(name) : words.disableOf(name)}
        why={notMe}
        run={setDisabled}
      />
      <Action
        text={words.remove}
        label={words.removeOf(name)}
        why={notMe}
        danger
        run={() => open('remove', person.id)}
      />
    </div>
  );
}

interface ActionProps {
  readonly text: string;
  /** Says of whom: a screen reader reads one button after another. */
  readonly label: string;
  readonly why: string | undefined;
  readonly danger?: boolean;
  readonly run: () => void;
}

function Action({ text, label, why, danger = false, run }: ActionProps) {
  return (
    <button
      type="button"
      className={danger ? 'danger' : undefined}
      aria-label={label}
      disabled={why !== undefined}
      title={why}
      onClick={run}
    >
      {text}
    </button>
  );
}
