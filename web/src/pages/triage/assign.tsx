import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Assignees } from '../../../../src/http/web/detect/decision-wire.ts';
import { type Domain, domainKey, domainsKey } from '../../data/detect.ts';
import { plain } from '../../data/foreign.ts';
import { useMe } from '../../data/me.ts';
import { request } from '../../data/request.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FieldError } from '../../parts/field-error.tsx';
import { Text } from '../../parts/text.tsx';
import { assignWords as words } from '../../words/triage.ts';
import { defanged } from './decision-messages.tsx';

/** Who should take a domain on: oneself, unless a colleague has it. */
export function Assign({ domain, close }: { domain: Domain; close: () => void }) {
  const client = useQueryClient();
  const id = useId();
  const me = useMe().data;
  const assignees = useQuery({
    queryKey: ['detect', 'assignees'],
    queryFn: ({ signal }) => request<Assignees>('GET', '/detect/assignees', { signal }),
  });
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
  });
  return (
    <Dialog label={words.title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(name.trim() === '' ? null : name.trim());
        }}
      >
        <h2>{words.heading(<Text of={defanged(domain)} />)}</h2>
        <label className="field">
          {words.to}
          <input
            value={name}
            list={id}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setName(target.value)}
            onFocus={({ target }) => target.select()}
          />
        </label>
        {/* Choices of the browser's own: names that can be typed, arrowed through, or picked. */}
        <datalist id={id}>
          {assignees.data?.people.map((person) => (
            <option key={plain(person)} value={plain(person)} />
          ))}
        </datalist>
        <FieldError error={save.error} />
        <div className="buttons">
          {domain.assignee !== null && (
            <button type="button" onClick={() => save.mutate(null)}>
              {words.toNobody}
            </button>
          )}
          <button type="submit" className="primary" disabled={save.isPending}>
            {words.assign}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
