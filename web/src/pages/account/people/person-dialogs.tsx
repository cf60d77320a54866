import { type FormEvent, type ReactNode, useState } from 'react';
import {
  type Invited,
  type PermissionName,
  type Person,
  useChangePerson,
  useInvite,
  useRemovePerson,
  useResetFactors,
} from '../../../data/account/people.ts';
import { plain } from '../../../data/foreign.ts';
import { useMe } from '../../../data/me.ts';
import { showToast } from '../../../data/toasts.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { FieldError } from '../../../parts/field-error.tsx';
import { DialogButtons } from '../../../parts/forms/dialog-buttons.tsx';
import { Text } from '../../../parts/text.tsx';
import { peopleWords as words } from '../../../words/account.ts';
import { actionWords } from '../../../words/parts.ts';
import { RoleFields } from './role-fields.tsx';
import { roles } from './roles.ts';

function EmailField({ email, set }: { email: string; set: (email: string) => void }) {
  const mails = useMe().data?.server.features.includes('mail') === true;
  return (
    <label className="field">
      {words.email}
      <input
        type="email"
        maxLength={254}
        value={email}
        autoComplete="off"
        onChange={({ target }) => set(target.value)}
      />
      <small>{mails ? words.emailMailed : words.emailKept}</small>
    </label>
  );
}

interface InviteProps {
  readonly close: () => void;
  readonly made: (invited: Invited) => void;
}

export function Invite({ close, made }: InviteProps) {
  const invite = useInvite();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [permissions, setPermissions] = useState<readonly PermissionName[]>(roles.analyst);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const address = email.trim() === '' ? {} : { email: email.trim() };
    invite.mutate({ name: name.trim(), permissions, ...address }, { onSuccess: made });
  };
  return (
    <Dialog label={words.inviteTitle} close={close}>
      <h2>{words.inviteTitle}</h2>
      <form onSubmit={submit}>
        <label className="field">
          {words.name}
          <input
            data-first
            required
            maxLength={64}
            pattern="[A-Za-z0-9][A-Za-z0-9._@\-]*"
            value={name}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setName(target.value)}
          />
          <small>{words.nameHint}</small>
        </label>
        <EmailField email={email} set={setEmail} />
        <RoleFields held={permissions} choose={setPermissions} />
        <FieldError error={invite.error} />
        <DialogButtons action={words.makeLink} disabled={invite.isPending} close={close} />
      </form>
    </Dialog>
  );
}

interface AboutProps {
  readonly person: Person;
  readonly close: () => void;
}

export function ChangePerson({ person, close }: AboutProps) {
  const change = useChangePerson(person.id);
  const before = person.email === null ? '' : plain(person.email);
  const [email, setEmail] = useState(before);
  const [permissions, setPermissions] = useState<readonly PermissionName[]>(person.permissions);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const address = email.trim();
    change.mutate(
      {
        ...(address === before ? {} : { email: address === '' ? null : address }),
        ...(permissions === person.permissions ? {} : { permissions }),
      },
      {
        onSuccess: () => {
          close();
          showToast({ text: words.changed });
        },
      },
    );
  };
  return (
    <Dialog label={words.change} close={close}>
      <h2>{words.changeTitle(<Text of={person.name} />)}</h2>
      <form onSubmit={submit}>
        <RoleFields held={permissions} choose={setPermissions} />
        <EmailField email={email} set={setEmail} />
        <FieldError error={change.error} />
        <DialogButtons action={actionWords.save} disabled={change.isPending} close={close} />
      </form>
    </Dialog>
  );
}

export function ResetFactors({ person, close }: AboutProps) {
  const reset = useResetFactors(person.id);
  return (
    <Question
      label={words.factors}
      title={words.factorsTitle(<Text of={person.name} />)}
      hint={words.factorsHint}
      action={{ ...reset, run: () => reset.mutate(undefined, { onSuccess: done(close, words.factorsDone) }) }}
      close={close}
    />
  );
}

export function RemovePerson({ person, close }: AboutProps) {
  const remove = useRemovePerson(person.id);
  return (
    <Question
      label={words.remove}
      title={words.removeTitle(<Text of={person.name} />)}
      hint={words.removeHint}
      action={{ ...remove, run: () => remove.mutate(undefined, { onSuccess: done(close, words.removed) }) }}
      close={close}
    />
  );
}

function done(close: () => void, text: string) {
  return () => {
    close();
    showToast({ text });
  };
}

interface QuestionProps {
  readonly label: string;
  readonly title: ReactNode;
  readonly hint: string;
  readonly action: { readonly isPending: boolean; readonly error: unknown; readonly run: () => void };
  readonly close: () => void;
}

function Question({ label, title, hint, action, close }: QuestionProps) {
  return (
    <Dialog label={label} close={close}>
      <h2>{title}</h2>
      <p className="warning">{hint}</p>
      <FieldError error={action.error} />
      <DialogButtons action={label} danger disabled={action.isPending} run={action.run} close={close} />
    </Dialog>
  );
}
