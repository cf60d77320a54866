/** Asks where a search or a finding is to be kept: in an investigation, or in a new one. */
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { foreign, plain } from '../../data/foreign.ts';
import { branchPoint } from '../../data/investigation/branch-point.ts';
import {
  type Addition,
  type InvestigationHead,
  queryOfNode,
  type SearchNode,
  useAddToInvestigation,
  useInvestigation,
  useInvestigations,
} from '../../data/investigation/investigations.ts';
import { useMissing } from '../../data/me.ts';
import { showToast } from '../../data/toasts.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FieldError } from '../../parts/field-error.tsx';
import { Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { addWords } from '../../words/investigations.ts';
import { queryWords } from '../search/condition-words.ts';

interface AddProps {
  readonly add: Addition;
  readonly close: () => void;
}

const newOne = '';

export function AddToInvestigation({ add, close }: AddProps) {
  const list = useInvestigations();
  return (
    <Dialog label={addWords.title} close={close}>
      <h2>{addWords.title}</h2>
      <p className="mono">
        <Text of={foreign('query' in add ? queryWords(add.query) : add.item.value)} />
      </p>
      {list.isPending && <Skeletons count={3} label={addWords.thing} />}
      {list.isError && <FieldError error={list.error} />}
      {list.data && (
        <AddForm add={add} close={close} known={list.data.investigations.filter(({ may }) => may.add)} />
      )}
    </Dialog>
  );
}

function AddForm({ add, close, known }: AddProps & { known: readonly InvestigationHead[] }) {
  const last = branchPoint.get();
  const [id, setId] = useState(
    () => known.find((one) => one.id === last?.investigationId)?.id ?? known[0]?.id ?? newOne,
  );
  const [name, setName] = useState('');
  const [parentId, setParentId] = useState(id === last?.investigationId ? (last.nodeId ?? '') : '');
  const [note, setNote] = useState('');
  const save = useAddToInvestigation();
  const missing = useMissing('triage');
  const isNew = id === newOne;
  const form = useRef<HTMLFormElement>(null);
  // The dialog had no fields when it opened: the list of investigations was still to come.
  useEffect(() => form.current?.querySelector<HTMLElement>('input[data-first]')?.focus(), []);
  const chosen = known.find((one) => one.id === id);
  const submit = () =>
    save.mutate(
      {
        add,
        target: {
          id: isNew ? undefined : id,
          name: name.trim(),
          parentId: parentId === '' ? undefined : parentId,
          note: note.trim(),
        },
      },
      {
        onSuccess: ({ investigationId, nodeId }) => {
          if ('query' in add) branchPoint.set({ investigationId, nodeId });
          close();
          showAdded(investigationId, foreign(isNew ? name.trim() : chosen ? plain(chosen.name) : ''));
        },
      },
    );
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {known.length > 0 && (
        <label className="field">
          {addWords.to}
          <select
            value={id}
            onChange={(event) => {
              setId(event.target.value);
              setParentId('');
            }}
          >
            {known.map((one) => (
              <option key={one.id} value={one.id}>
                {spelledOut(one.name)}
              </option>
            ))}
            <option value={newOne}>{addWords.newOne}</option>
          </select>
        </label>
      )}
      {isNew && (
        <label className="field">
          {addWords.name}
          <input
            data-first
            required
            maxLength={100}
            value={name}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        </label>
      )}
      {!isNew && 'query' in add && <ParentChoice id={id} value={parentId} choose={setParentId} />}
      <label className="field">
        {addWords.note}
        <input
          data-first={isNew ? undefined : true}
          maxLength={4000}
          value={note}
          placeholder={addWords.noteHint}
          onChange={(event) => setNote(event.target.value)}
        />
      </label>
      <FieldError error={save.error ?? undefined} />
      <div className="buttons">
        <button
          type="submit"
          className="primary"
          disabled={missing !== undefined || save.isPending || (isNew && name.trim() === '')}
          title={missing}
        >
          {isNew ? addWords.create : addWords.add}
        </button>
      </div>
    </form>
  );
}

interface ParentProps {
  readonly id: string;
  readonly value: string;
  readonly choose: (id: string) => void;
}

function ParentChoice({ id, value, choose }: ParentProps) {
  const investigation = useInvestigation(id);
  const nodes: readonly SearchNode[] = investigation.data?.nodes ?? [];
  if (nodes.length === 0) return null;
  return (
    <label className="field">
      {addWords.parent}
      <select
        value={nodes.some(({ id: known }) => known === value) ? value : ''}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">{addWords.root}</option>
        {nodes.map((node) => (
          <option key={node.id} value={node.id}>
            {spelledOut(foreign(queryWords(queryOfNode(node))))}
          </option>
        ))}
      </select>
    </label>
  );
}

function showAdded(id: string, name: ReturnType<typeof foreign>): void {
  showToast({
    text: (
      <>
        {addWords.added(<Text of={name} />)}{' '}
        <Link to="/investigations/$id" params={{ id }} search={{}}>
          {addWords.open}
        </Link>
      </>
    ),
  });
}
