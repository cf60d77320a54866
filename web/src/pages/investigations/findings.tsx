/** Single findings beside the searches: names, addresses, sentences, each with a note. */
import { Link } from '@tanstack/react-router';
import { Plus, StickyNote, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { plain } from '../../data/foreign.ts';
import {
  changeItem,
  type Investigation,
  type InvestigationItem,
  type NewItem,
  removeItem,
  useAddToInvestigation,
  useInvestigationChange,
} from '../../data/investigation/investigations.ts';
import { showToast } from '../../data/toasts.ts';
import { spelledOut } from '../../data/unseen.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { Empty } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { dialogWords, findingWords as words } from '../../words/investigations.ts';
import { NoteDialog } from './change-dialogs.tsx';
import { useHindrances } from './use-hindrances.ts';

const kinds = Object.keys(words.kinds) as NewItem['kind'][];

export function Findings({ investigation }: { investigation: Investigation }) {
  const { id, items, version, may } = investigation;
  const [noted, setNoted] = useState<string>();
  const change = useInvestigationChange(id);
  const hindered = useHindrances(investigation);
  const note = items.find((item) => item.id === noted);
  const remove = (item: InvestigationItem) =>
    change.mutate(removeItem(version, item.id), {
      onError: () => showToast({ bad: true, text: dialogWords.failed }),
    });
  return (
    <div className="findings">
      {may.add && <AddFinding investigation={investigation} />}
      {items.length === 0 && (
        <Empty title={words.empty}>
          <p>{words.emptyHint}</p>
        </Empty>
      )}
      {items.length > 0 && (
        <WideTable label={words.label} panel>
          <table className="data-table">
            <thead>
              <tr>
                <th scope="col">{words.kind}</th>
                <th scope="col">{words.value}</th>
                <th scope="col">{words.note}</th>
                <th scope="col">{words.by}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <tr key={item.id}>
                  <td>{words.kinds[item.kind]}</td>
                  <td className={item.kind === 'text' ? undefined : 'mono'}>
                    <FindingLink item={item}>
                      <Text of={item.value} />
                    </FindingLink>
                  </td>
                  <td>
                    <Text of={item.note} lines />
                  </td>
                  <td>
                    <Text of={item.by} /> <Ago at={item.at} />
                  </td>
                  <td className="row-buttons">
                    <button
                      type="button"
                      className="ghost"
                      disabled={!may.add}
                      title={hindered.add}
                      aria-label={words.noteOf(spelledOut(item.value))}
                      onClick={() => setNoted(item.id)}
                    >
                      <StickyNote size={15} aria-hidden />
                    </button>
                    <button
                      type="button"
                      className="ghost"
                      disabled={hindered.remove(item) !== undefined}
                      title={hindered.remove(item)}
                      aria-label={words.removeOf(spelledOut(item.value))}
                      onClick={() => remove(item)}
                    >
                      <Trash2 size={15} aria-hidden />
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
      {note && (
        <NoteDialog
          key={note.id}
          id={id}
          about={note.value}
          note={note.note}
          version={version}
          change={(basis, text) => changeItem(basis, note.id, text)}
          close={() => setNoted(undefined)}
        />
      )}
    </div>
  );
}

/** To the page that the value has. */
function FindingLink({ item: { kind, value }, children }: { item: InvestigationItem; children: ReactNode }) {
  const text = plain(value);
  if (kind === 'domain')
    return (
      <Link to="/domain/$name" params={{ name: text }}>
        {children}
      </Link>
    );
  if (kind === 'ip')
    return (
      <Link to="/ip/$ip" params={{ ip: text }}>
        {children}
      </Link>
    );
  if (kind === 'name_server')
    return (
      <Link to="/ns/$host" params={{ host: text }}>
        {children}
      </Link>
    );
  if (kind === 'email')
    return (
      <Link to="/mail/$email" params={{ email: text }}>
        {children}
      </Link>
    );
  if (kind === 'certificate')
    return (
      <Link to="/cert/$sha1" params={{ sha1: text }}>
        {children}
      </Link>
    );
  return children;
}

function AddFinding({ investigation }: { investigation: Investigation }) {
  const [kind, setKind] = useState<NewItem['kind']>('text');
  const [value, setValue] = useState('');
  const [note, setNote] = useState('');
  const save = useAddToInvestigation();
  const submit = () =>
    save.mutate(
      {
        add: { item: { kind, value: value.trim() } },
        target: { id: investigation.id, name: '', parentId: undefined, note },
      },
      {
        onSuccess: () => {
          setValue('');
          setNote('');
        },
      },
    );
  return (
    <form
      className="add-finding"
      aria-label={words.addTitle}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <select
        aria-label={words.kind}
        value={kind}
        onChange={(event) => setKind(kinds.find((one) => one === event.target.value) ?? 'text')}
      >
        {kinds.map((one) => (
          <option key={one} value={one}>
            {words.kinds[one]}
          </option>
        ))}
      </select>
      <input
        required
        maxLength={1000}
        aria-label={words.value}
        placeholder={words.hint}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      <input
        maxLength={4000}
        aria-label={words.note}
        placeholder={words.note}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <button type="submit" disabled={save.isPending || value.trim() === ''}>
        <Plus size={15} aria-hidden /> {words.add}
      </button>
      <FieldError error={save.error ?? undefined} />
    </form>
  );
}
