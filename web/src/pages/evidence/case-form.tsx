/** What a person enters about a case. Only what differs is sent. */
import { type FormEvent, type ReactNode, useState } from 'react';
import { type Foreign, plain } from '../../data/foreign.ts';
import { showToast } from '../../data/toasts.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { outcomeWords, recipientWords, caseWords as words } from '../../words/evidence/cases.ts';
import {
  type ChangeCaseBody,
  type EvidenceCase,
  noteLengthMax,
  type Outcome,
  outcomes,
  type Recipient,
  recipientNameLengthMax,
  recipients,
  useChangeCase,
} from './case-data.ts';

interface Draft {
  readonly recipient: Recipient;
  readonly recipient_name: string;
  readonly note: string;
  /** Days, such as `2026-11-17`; empty for none. */
  readonly sent: string;
  readonly answered: string;
  readonly outcome: Outcome;
}

const dayOf = (instant: Foreign | null): string => (instant === null ? '' : plain(instant).slice(0, 10));

export function CaseForm({ made, missing }: { made: EvidenceCase; missing: string | undefined }) {
  const change = useChangeCase(made.id);
  const before: Draft = {
    recipient: made.recipient,
    recipient_name: plain(made.recipient_name),
    note: plain(made.note),
    sent: dayOf(made.sent),
    answered: dayOf(made.answered),
    outcome: made.outcome,
  };
  const [draft, setDraft] = useState(before);
  const set = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const body = changesOf(before, draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(body, { onSuccess: () => showToast({ text: words.changed }) });
  };
  const day = (label: string, member: 'sent' | 'answered') => (
    <label className="field">
      {label}
      <input type="date" value={draft[member]} onChange={({ target }) => set({ [member]: target.value })} />
    </label>
  );
  return (
    <form onSubmit={submit}>
      <fieldset className="case-form" disabled={missing !== undefined}>
        <Choice
          label={words.outcome}
          words={outcomeWords}
          all={outcomes}
          chosen={draft.outcome}
          choose={(outcome) => set({ outcome })}
        />
        {day(words.sent, 'sent')}
        {day(words.answered, 'answered')}
        <Choice
          label={words.recipient}
          words={recipientWords}
          all={recipients}
          chosen={draft.recipient}
          choose={(recipient) => set({ recipient })}
        />
        <label className="field">
          {words.recipientName}
          <input
            value={draft.recipient_name}
            maxLength={recipientNameLengthMax}
            autoComplete="off"
            onChange={({ target }) => set({ recipient_name: target.value })}
          />
          <small>{words.recipientNameHint}</small>
        </label>
        <label className="field">
          {words.note}
          <textarea
            rows={3}
            value={draft.note}
            maxLength={noteLengthMax}
            onChange={({ target }) => set({ note: target.value })}
          />
          <small>{words.noteHint}</small>
        </label>
      </fieldset>
      <FieldError error={change.error} />
      <p className="buttons start">
        <button
          type="submit"
          className="primary"
          title={missing}
          disabled={missing !== undefined || change.isPending || Object.keys(body).length === 0}
        >
          {words.save}
        </button>
      </p>
    </form>
  );
}

interface ChoiceProps<Word extends string> {
  readonly label: string;
  readonly words: Readonly<Record<Word, string>>;
  readonly all: readonly Word[];
  readonly chosen: Word;
  readonly choose: (word: Word) => void;
}

function Choice<Word extends string>({
  label,
  words: shown,
  all,
  chosen,
  choose,
}: ChoiceProps<Word>): ReactNode {
  return (
    <label className="field">
      {label}
      <select value={chosen} onChange={({ target }) => choose(target.value as Word)}>
        {all.map((one) => (
          <option key={one} value={one}>
            {shown[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

function changesOf(before: Draft, draft: Draft): ChangeCaseBody {
  const members = Object.keys(before) as (keyof Draft)[];
  return Object.fromEntries(
    members.filter((member) => draft[member] !== before[member]).map((member) => [member, draft[member]]),
  );
}
