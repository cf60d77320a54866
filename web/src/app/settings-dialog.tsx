import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeyRound, LogOut } from 'lucide-react';
import { type Me, useChangePreferences } from '../data/me.ts';
import { request } from '../data/request.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Text } from '../parts/text.tsx';
import { settingsWords as words } from '../words/app.ts';

export function SettingsDialog({ me, close }: { me: Me; close: () => void }) {
  const change = useChangePreferences();
  const { theme, density, zone, single_keys } = me.preferences;
  const signOut = useMutation({
    mutationFn: () => request('DELETE', '/session', { open: true }),
    onSettled: () => location.assign('/ui/sign-in'),
  });
  return (
    <Dialog label={words.title} close={close}>
      <h2>
        <Text of={me.person.name} />
      </h2>
      <p className="pale">{words.account(<Text of={me.account.name} />, me.permissions.join(', '))}</p>
      <div className="settings">
        <Select
          label={words.theme}
          value={theme}
          options={words.themes}
          choose={(value) => change.mutate({ theme: value })}
        />
        <Select
          label={words.rows}
          value={density}
          options={words.densities}
          choose={(value) => change.mutate({ density: value })}
        />
        <Select
          label={words.times}
          value={zone}
          options={words.zones}
          choose={(value) => change.mutate({ zone: value })}
        />
        <label className="choice">
          <input
            type="checkbox"
            checked={single_keys}
            onChange={({ target }) => change.mutate({ single_keys: target.checked })}
          />
          <span>{words.singleKeys}</span>
        </label>
      </div>
      {change.isError && (
        <p role="alert" className="bad-text">
          {words.notSaved}
        </p>
      )}
      <div className="buttons">
        <small className="grow">{words.version(me.server.version)}</small>
        <Link to="/me" className="button" onClick={close}>
          <KeyRound size={15} aria-hidden /> {words.signingIn}
        </Link>
        <button type="button" onClick={() => signOut.mutate()}>
          <LogOut size={15} aria-hidden /> {words.signOut}
        </button>
      </div>
    </Dialog>
  );
}

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  /** Each with its word. */
  readonly options: Readonly<Record<Value, string>>;
  readonly choose: (value: Value) => void;
}

function Select<Value extends string>({ label, value, options, choose }: SelectProps<Value>) {
  return (
    <label className="field">
      {label}
      <select value={value} onChange={({ target }) => choose(target.value as Value)}>
        {Object.entries<string>(options).map(([option, word]) => (
          <option key={option} value={option}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}
