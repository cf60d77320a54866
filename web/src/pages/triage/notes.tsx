import { useMutation, useQueryClient } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { type RefObject, useState } from 'react';
import type { Note } from '../../../../src/http/web/detect/domain-wire.ts';
import { type DomainDetail, domainKey } from '../../data/detect.ts';
import { useMissing } from '../../data/me.ts';
import { request } from '../../data/request.ts';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { timeWords } from '../../words/parts.ts';
import { cardWords as words } from '../../words/triage.ts';
import { showFailure } from './decision-messages.tsx';

interface NotesProps {
  readonly domain: DomainDetail;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly assign: () => void;
}

/** Who is on it, and what colleagues should know. */
export function Notes({ domain, field, assign }: NotesProps) {
  const client = useQueryClient();
  const missing = useMissing('triage');
  const [text, setText] = useState('');
  const save = useMutation({
    mutationFn: () =>
      request<Note>('POST', `/detect/domains/${encodeURIComponent(domain.id)}/notes`, { body: { text } }),
    onSuccess: () => {
      setText('');
      field.current?.blur();
      return client.invalidateQueries({ queryKey: domainKey(domain.id) });
    },
    onError: showFailure,
  });
  return (
    <section>
      <h3>
        {words.notes}
        <button
          type="button"
          className="ghost assign"
          onClick={assign}
          disabled={missing !== undefined}
          title={missing}
        >
          <UserRound size={14} aria-hidden />
          {domain.assignee === null ? words.assign : <Text of={domain.assignee} />} <kbd>a</kbd>
        </button>
      </h3>
      <form
        className="note-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') save.mutate();
        }}
      >
        <textarea
          ref={field}
          rows={text === '' ? 1 : 3}
          maxLength={4000}
          value={text}
          disabled={missing !== undefined}
          placeholder={missing ?? words.addNote}
          aria-label={words.newNote}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
              event.currentTarget.form?.requestSubmit();
          }}
        />
        {text.trim() !== '' && (
          <button type="submit" disabled={save.isPending}>
            {words.save} <kbd>{words.saveKeys}</kbd>
          </button>
        )}
      </form>
      <ul className="notes">
        {domain.notes_list.map((note) => (
          <li key={note.id}>
            <Text of={note.text} lines />
            <small>{words.noteBy(<Text of={note.by} />, <Ago at={note.at} suffix={timeWords.ago} />)}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
