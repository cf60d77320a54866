import { useState } from 'react';
import type { PermissionName } from '../../../data/account/people.ts';
import { roleWords as words } from '../../../words/account.ts';
import { PermissionFields } from '../permission-fields.tsx';
import { roleNames, roleOf, roles } from './roles.ts';

interface RoleFieldsProps {
  readonly held: readonly PermissionName[];
  readonly choose: (permissions: readonly PermissionName[]) => void;
}

/** A role, or single permissions. */
export function RoleFields({ held, choose }: RoleFieldsProps) {
  const role = roleOf(held);
  const [isOwnChoice, setOwnChoice] = useState(role === undefined);
  return (
    <>
      <fieldset className="choices presets">
        <legend>{words.legend}</legend>
        {[...roleNames, 'custom' as const].map((name) => (
          <label key={name} className="choice">
            <input
              type="radio"
              name="role"
              checked={isOwnChoice ? name === 'custom' : name === role}
              onChange={() => {
                setOwnChoice(name === 'custom');
                if (name !== 'custom') choose(roles[name]);
              }}
            />
            <span>
              <b>{words.names[name]}</b> <small className="pale">{words.hints[name]}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {isOwnChoice && <PermissionFields legend={words.permissions} held={held} choose={choose} />}
    </>
  );
}
