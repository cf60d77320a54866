import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useAllowList, useChangeAllowList } from '../../data/blocklists.ts';
import { plain } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { spelledOut } from '../../data/unseen.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { allowListWords as words } from '../../words/blocklists.ts';
import { actionWords } from '../../words/parts.ts';

/** Names that no blocklist of the account has. */
export function AllowList() {
  const allowed = useAllowList();
  const change = useChangeAllowList();
  const missing = useMissing('manage');
  const [typed, setTyped] = useState('');
  const add = (event: FormEvent) => {
    event.preventDefault();
    const names = typed.split(/[\s,;]+/).filter((name) => name !== '');
    if (names.length > 0) change.mutate({ add: names }, { onSuccess: () => setTyped('') });
  };
  return (
    <section className="panel own-domains">
      <h2>{words.title}</h2>
      <p className="pale">{words.hint}</p>
      {allowed.isPending && <Skeletons count={1} label={words.loading} />}
      {allowed.isError && (
        <Failure error={allowed.error} what={words.theList} retry={() => void allowed.refetch()} />
      )}
      <ul className="chip-list">
        {allowed.data?.allowed.map(({ domain, punycode }) => (
          <li key={plain(punycode)} className="chip removable">
            <span className="mono">
              <Text of={domain} />
            </span>
            <button
              type="button"
              className="ghost"
              disabled={missing !== undefined || change.isPending}
              title={missing}
              aria-label={actionWords.removeOne(spelledOut(domain))}
              onClick={() => change.mutate({ remove: [plain(punycode)] })}
            >
              <X size={13} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <form className="add-line" onSubmit={add}>
        <label className="field">
          {words.addOne}
          <input
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            placeholder={words.example}
            spellCheck={false}
            autoComplete="off"
          />
        </label>
        <button
          type="submit"
          disabled={missing !== undefined || typed.trim() === '' || change.isPending}
          title={missing}
        >
          {words.add}
        </button>
      </form>
      <FieldError error={change.error} />
    </section>
  );
}
