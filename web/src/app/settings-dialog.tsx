import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeyRound, LogOut } from 'lucide-react';
import { type Me, useChangePreferences } from '../data/me.ts';
import { request } from '../data/request.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Text } from '../parts/text.tsx';

export function SettingsDialog({ me, close }: { me: Me; close: () => void }) {
  const change = useChangePreferences();
  const { theme, density, zone, single_keys } = me.preferences;
  const signOut = useMutation({
    mutationFn: () => request('DELETE', '/session', { open: true }),
    onSettled: () => location.assign('/ui/sign-in'),
  });
  return (
    <Dialog label="Settings" close={close}>
      <h2>
        <Text of={me.person.name} />
      </h2>
      <p className="pale">
        Account <Text of={me.account.name} />, may {me.permissions.join(', ')}
      </p>
      <div className="settings">
        <Select
          label="Theme"
          value={theme}
          options={['system', 'light', 'dark']}
          choose={(value) => change.mutate({ theme: value })}
        />
        <Select
          label="Rows"
          value={density}
          options={['comfortable', 'compact']}
          choose={(value) => change.mutate({ density: value })}
        />
        <Select
          label="Times in"
          value={zone}
          options={['local', 'utc']}
          choose={(value) => change.mutate({ zone: value })}
        />
        <label className="choice">
          <input
            type="checkbox"
            checked={single_keys}
            onChange={({ target }) => change.mutate({ single_keys: target.checked })}
          />
          <span>Single keys decide and move</span>
        </label>
      </div>
      {change.isError && (
        <p role="alert" className="bad-text">
          The setting could not be saved.
        </p>
      )}
      <div className="buttons">
        <small className="grow">Nameglass {me.server.version}</small>
        <Link to="/me" className="button" onClick={close}>
          <KeyRound size={15} aria-hidden /> Signing in
        </Link>
        <button type="button" onClick={() => signOut.mutate()}>
          <LogOut size={15} aria-hidden /> Sign out
        </button>
      </div>
    </Dialog>
  );
}

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Value[];
  readonly choose: (value: Value) => void;
}

function Select<Value extends string>({ label, value, options, choose }: SelectProps<Value>) {
  return (
    <label className="field">
      {label}
      <select value={value} onChange={({ target }) => choose(target.value as Value)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {option === 'utc' ? 'UTC' : option}
          </option>
        ))}
      </select>
    </label>
  );
}
