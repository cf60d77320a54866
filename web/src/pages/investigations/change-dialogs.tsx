/** Dialogs that change an investigation. If a colleague has changed the same thing since, they show both and ask. */
import { useState } from 'react';
import { type Foreign, plain } from '../../data/foreign.ts';
import {
  ChangeConflict,
  type ChangeRequest,
  changeWhole,
  type Investigation,
  type Sharing,
  useInvestigationChange,
} from '../../data/investigation/investigations.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FieldError } from '../../parts/field-error.tsx';
import { Text } from '../../parts/text.tsx';
import { sharingChoices, dialogWords as words } from '../../words/investigations.ts';

/** Sends a change; a conflict is kept until the person has decided. */
export function useDecidedChange(id: string, done: () => void) {
  const send = useInvestigationChange(id);
  const conflict = send.error instanceof ChangeConflict ? send.error : undefined;
  return {
    conflict,
    error: conflict ? undefined : send.error,
    isPending: send.isPending,
    send: (change: ChangeRequest) => send.mutate(change, { onSuccess: done }),
    /** At the version of the conflict. */
    sendAnyway: () => {
      const { variables } = send;
      if (variables && conflict)
        send.mutate({ ...variables, version: conflict.version }, { onSuccess: done });
    },
  };
}

interface NoteDialogProps {
  readonly id: string;
  readonly about: Foreign;
  /** As it is now: a colleague may change it while this is open. */
  readonly note: Foreign;
  readonly version: number;
  readonly change: (version: number, note: string) => ChangeRequest;
  readonly close: () => void;
}

export function NoteDialog({ id, about, note, version, change, close }: NoteDialogProps) {
  const [text, setText] = useState(() => plain(note));
  // What the text is based on: the version that was there when it was opened.
  const [basis] = useState(version);
  const { send, sendAnyway, conflict, error, isPending } = useDecidedChange(id, close);
  return (
    <Dialog label={words.noteTitle} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (conflict) sendAnyway();
          else send(change(basis, text));
        }}
      >
        <h2>{words.noteTitle}</h2>
        <p className="mono">
          <Text of={about} />
        </p>
        <label className="field">
          {words.note}
          <textarea
            rows={5}
            maxLength={4000}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        {conflict && (
          <div className="conflict" role="alert">
            <p>{words.conflict(<Text of={conflict.by} />)}</p>
            <p className="pale">{words.theirs}</p>
            <blockquote>{plain(note) === '' ? words.nothing : <Text of={note} lines />}</blockquote>
          </div>
        )}
        <FieldError error={error ?? undefined} />
        <div className="buttons">
          {conflict && (
            <button type="button" onClick={close}>
              {words.takeTheirs}
            </button>
          )}
          <button type="submit" className="primary" disabled={isPending}>
            {conflict ? words.keepMine : words.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function EditDialog({ investigation, close }: { investigation: Investigation; close: () => void }) {
  const { id, version, may, by } = investigation;
  const [first] = useState(investigation);
  const [name, setName] = useState(() => plain(first.name));
  const [note, setNote] = useState(() => plain(first.note));
  const [sharing, setSharing] = useState<Sharing>(first.sharing);
  const { send, sendAnyway, conflict, error, isPending } = useDecidedChange(id, close);
  const notMine = may.manage ? undefined : words.onlyOwner(spelledOut(by));
  const submit = () => {
    const body = {
      ...(name.trim() !== plain(first.name) && { name: name.trim() }),
      ...(note.trim() !== plain(first.note) && { note: note.trim() }),
      ...(sharing !== first.sharing && { sharing }),
    };
    if (conflict) sendAnyway();
    else if (Object.keys(body).length === 0) close();
    else send(changeWhole(first.version, body));
  };
  return (
    <Dialog label={words.edit} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h2>{words.edit}</h2>
        <label className="field">
          {words.name}
          <input
            required
            maxLength={100}
            value={name}
            disabled={!may.remove}
            title={may.remove ? undefined : words.onlyOwner(spelledOut(by))}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <label className="field">
          {words.note}
          <textarea
            rows={4}
            maxLength={4000}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </label>
        <SharingField value={sharing} choose={setSharing} disabled={notMine} />
        {conflict && version !== first.version && (
          <p className="conflict" role="alert">
            {words.conflict(<Text of={conflict.by} />)}
          </p>
        )}
        <FieldError error={error ?? undefined} />
        <div className="buttons">
          <button type="button" onClick={close}>
            {conflict ? words.takeTheirs : words.cancel}
          </button>
          <button type="submit" className="primary" disabled={isPending || name.trim() === ''}>
            {conflict ? words.keepMine : words.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface SharingProps {
  readonly value: Sharing;
  readonly choose: (sharing: Sharing) => void;
  readonly disabled?: string | undefined;
}

const sharings = Object.keys(sharingChoices) as Sharing[];

export function SharingField({ value, choose, disabled }: SharingProps) {
  return (
    <label className="field">
      {words.sharing}
      <select
        value={value}
        disabled={disabled !== undefined}
        title={disabled}
        onChange={(event) => choose(sharings.find((one) => one === event.target.value) ?? 'private')}
      >
        {sharings.map((one) => (
          <option key={one} value={one}>
            {sharingChoices[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

interface RemoveProps {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly change: ChangeRequest;
  readonly done: () => void;
  readonly close: () => void;
}

export function RemoveDialog({ id, title, text, change, done, close }: RemoveProps) {
  const { send, sendAnyway, conflict, error, isPending } = useDecidedChange(id, done);
  return (
    <Dialog label={title} close={close}>
      <h2>{title}</h2>
      <p>{text}</p>
      {conflict && (
        <p className="conflict" role="alert">
          {words.conflict(<Text of={conflict.by} />)}
        </p>
      )}
      <FieldError error={error ?? undefined} />
      <div className="buttons">
        <button type="button" onClick={close}>
          {words.cancel}
        </button>
        <button
          type="button"
          className="primary danger"
          disabled={isPending}
          onClick={() => (conflict ? sendAnyway() : send(change))}
        >
          {conflict ? words.doAnyway : words.remove}
        </button>
      </div>
    </Dialog>
  );
}
