import { Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { useKeys } from '../../keys/use-keys.ts';
import { passiveDnsWords as words } from '../../words/passive-dns.ts';
import type { PassiveDnsSearchState } from './passive-dns-search.ts';

interface QuestionFormProps {
  readonly search: PassiveDnsSearchState;
  readonly ask: (question: PassiveDnsSearchState) => void;
}

const types = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'PTR', 'SOA', 'SRV', 'TXT', 'CAA', 'HTTPS', 'SVCB'];

/** Nothing is asked before it is sent, because each answer counts. */
export function QuestionForm({ search, ask }: QuestionFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState({
    name: search.name ?? '',
    side: search.side ?? 'names',
    type: search.type ?? '',
    from: search.from?.slice(0, 10) ?? '',
    to: search.to?.slice(0, 10) ?? '',
  });
  const set = (part: Partial<typeof draft>) => setDraft((now) => ({ ...now, ...part }));
  useKeys([{ keys: '/', label: words.fieldKey, group: 'Lists', run: () => field.current?.focus() }]);
  return (
    <form
      className="pdns-form"
      onSubmit={(event) => {
        event.preventDefault();
        const { name, side, type, from, to } = draft;
        if (name.trim() === '') return;
        ask({
          name: name.trim(),
          ...(side === 'data' ? { side } : {}),
          ...(type.trim() === '' ? {} : { type: type.trim().toUpperCase() }),
          ...(from === '' ? {} : { from }),
          ...(to === '' ? {} : { to }),
        });
      }}
    >
      <label className="field question">
        {words.field}
        <input
          ref={field}
          value={draft.name}
          placeholder={words.example}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={4096}
          onChange={(event) => set({ name: event.target.value })}
        />
      </label>
      <label className="field">
        {words.side}
        <select value={draft.side} onChange={(event) => set({ side: event.target.value })}>
          <option value="names">{words.sides.names}</option>
          <option value="data">{words.sides.data}</option>
        </select>
      </label>
      <label className="field type">
        {words.type}
        <input
          value={draft.type}
          placeholder={words.anyType}
          list="pdns-types"
          autoComplete="off"
          maxLength={20}
          onChange={(event) => set({ type: event.target.value })}
        />
      </label>
      <datalist id="pdns-types">
        {types.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <label className="field">
        {words.from}
        <input type="date" value={draft.from} onChange={(event) => set({ from: event.target.value })} />
      </label>
      <label className="field">
        {words.to}
        <input type="date" value={draft.to} onChange={(event) => set({ to: event.target.value })} />
      </label>
      <button type="submit" className="primary">
        <Search size={15} aria-hidden /> {words.ask}
      </button>
    </form>
  );
}
