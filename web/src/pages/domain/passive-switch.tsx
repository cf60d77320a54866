/** Whether nothing is asked of the servers of this domain: by this account, by another one, or by a monitor. */

import { type DomainRequests, useSetPassive } from '../../data/domain.ts';
import { useMissing } from '../../data/me.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { Text } from '../../parts/text.tsx';
import { Moment } from '../../parts/time.tsx';
import { requestWords as words } from '../../words/domain.ts';

export function PassiveSwitch({ name, requests }: { name: string; requests: DomainRequests }) {
  const { passive_only, passive_set } = requests;
  const set = useSetPassive(name);
  const missing = useMissing('manage');
  return (
    <>
      {passive_only && <p className="banner">{words.passiveOnly}</p>}
      <label className="choice" title={missing}>
        <input
          type="checkbox"
          role="switch"
          checked={set.isPending ? set.variables : passive_set !== null}
          disabled={missing !== undefined || set.isPending}
          onChange={({ target }) => set.mutate(target.checked)}
        />
        {words.passiveSwitch}
      </label>
      <p className="pale">
        {passive_set === null
          ? passive_only
            ? words.passiveElsewhere
            : words.passiveHint
          : words.passiveSet(<Text of={passive_set.by} />, <Moment at={passive_set.at} />)}
      </p>
      <FieldError error={set.error} />
    </>
  );
}
