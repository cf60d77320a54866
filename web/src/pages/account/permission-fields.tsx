import type { PermissionName } from '../../data/account/people.ts';
import { permissionWords } from '../../words/account.ts';

export const permissionNames: readonly PermissionName[] = [
  'read',
  'triage',
  'escalate',
  'manage',
  'ingest',
  'admin',
];

interface PermissionFieldsProps {
  readonly legend: string;
  readonly held: readonly PermissionName[];
  readonly choose: (permissions: readonly PermissionName[]) => void;
}

/** Single permissions. At least one stays. */
export function PermissionFields({ legend, held, choose }: PermissionFieldsProps) {
  return (
    <fieldset className="choices">
      <legend>{legend}</legend>
      {permissionNames.map((name) => (
        <label key={name} className="choice">
          <input
            type="checkbox"
            checked={held.includes(name)}
            disabled={held.length === 1 && held[0] === name}
            onChange={() => choose(permissionNames.filter((one) => (one === name) !== held.includes(one)))}
          />
          <span>
            <b>{name}</b> <small className="pale">{permissionWords[name]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
