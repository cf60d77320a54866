/** Questions that Triage asks: whether everything that matches is meant, and who should take a domain on. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DecisionTarget } from '../../../../src/http/web/detect/domain-wire.ts';
import { type Domain, domainKey, domainsKey } from '../../data/detect.ts';
import { plain } from '../../data/foreign.ts';
import { useMe } from '../../data/me.ts';
import { request } from '../../data/request.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Text } from '../../parts/text.tsx';
import { defanged, showFailure } from './decision-messages.tsx';

const verbs: Readonly<Record<DecisionTarget, string>> = {
  watched: 'Watch',
  ignored: 'Ignore',
  blocked: 'Block',
  external_safe: 'Submit',
};

/** Above this the number must be typed. */
const typedAbove = 100;

interface ConfirmProps {
  readonly to: DecisionTarget;
  readonly count: number;
  readonly confirm: () => void;
  readonly cancel: () => void;
}

export function ConfirmAll({ to, count, confirm, cancel }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const isSure = count <= typedAbove || typed.replaceAll(/\D/g, '') === String(count);
  return (
    <Dialog label={`${verbs[to]} all that match`} close={cancel}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSure) confirm();
        }}
      >
        <h2>
          {verbs[to]} all {count.toLocaleString('en')} that match?
        </h2>
        <p>
          The decision is for every domain that the filter matches now, also those further down. It can be
          undone as one.
        </p>
        {count > typedAbove && (
          <label className="field">
            Type {count} to confirm
            <input
              value={typed}
              inputMode="numeric"
              autoComplete="off"
              onChange={(event) => setTyped(event.target.value)}
            />
          </label>
        )}
        <div className="buttons">
          <button type="button" onClick={cancel}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={!isSure}>
            {verbs[to]} {count.toLocaleString('en')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function Assign({ domain, close }: { domain: Domain; close: () => void }) {
  const client = useQueryClient();
  const me = useMe().data;
  const [name, setName] = useState(
    domain.assignee === null ? (me ? plain(me.person.name) : '') : plain(domain.assignee),
  );
  const save = useMutation({
    mutationFn: (person: string | null) =>
      request('PUT', `/detect/domains/${encodeURIComponent(domain.id)}/assignee`, { body: { person } }),
    onSuccess: async () => {
      close();
      await Promise.all([
        client.invalidateQueries({ queryKey: domainKey(domain.id) }),
        client.invalidateQueries({ queryKey: domainsKey }),
      ]);
    },
    onError: showFailure,
  });
  return (
    <Dialog label="Assign" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(name.trim() === '' ? null : name.trim());
        }}
      >
        <h2>
          Assign <Text of={defanged(domain)} />
        </h2>
        <label className="field">
          To
          <input value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />
        </label>
        <div className="buttons">
          {domain.assignee !== null && (
            <button type="button" onClick={() => save.mutate(null)}>
              To nobody
            </button>
          )}
          <button type="submit" className="primary" disabled={save.isPending}>
            Assign
          </button>
        </div>
      </form>
    </Dialog>
  );
}
