import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type Selection, useDeleteSelection } from '../../data/blocklists.ts';
import { plain } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { showToast } from '../../data/toasts.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Confirm } from '../../parts/forms/confirm.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { selectionWords as words } from '../../words/blocklists.ts';
import { number } from '../../words/language.ts';
import { showFailure } from '../triage/decision-messages.tsx';
import { SelectionEditor } from './selection-editor.tsx';

interface SelectionsProps {
  readonly selections: readonly Selection[];
  readonly chosen: string;
  readonly choose: (name: string) => void;
}

type Open = { readonly dialog: 'edit' | 'delete'; readonly of: Selection | undefined } | undefined;

/** Every account has this one, as it is. */
export const blockedSelection = 'blocked';

/** All blocklists of the account, and what is on each. */
export function Selections({ selections, chosen, choose }: SelectionsProps) {
  const missing = useMissing('manage');
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const hasZones = selections.some(({ zone }) => zone !== undefined);
  const isOwn = ({ name }: Selection) => plain(name) !== blockedSelection;
  const columns = [
    words.name,
    words.has,
    words.blocks,
    words.leftOut,
    ...(hasZones ? [words.zone] : []),
    ...(selections.some(isOwn) ? [words.actions] : []),
  ];
  return (
    <section className="panel list-panel">
      <h2>{words.title}</h2>
      <WideTable label={words.title}>
        <table className="data-table">
          <TableHead columns={columns} />
          <tbody>
            {selections.map((one) => (
              <tr key={plain(one.name)} aria-current={plain(one.name) === chosen}>
                <td>
                  <Link
                    to="/blocklists"
                    search={plain(one.name) === blockedSelection ? {} : { list: plain(one.name) }}
                  >
                    <Text of={one.name} />
                  </Link>
                </td>
                <td>
                  <Rules of={one} />
                </td>
                <td>{number(one.domains)}</td>
                <td>{number(one.left_out)}</td>
                {hasZones && <td className="mono">{one.zone !== undefined && <Text of={one.zone} />}</td>}
                {selections.some(isOwn) && (
                  <td>
                    {isOwn(one) && (
                      <>
                        <button
                          type="button"
                          disabled={missing !== undefined}
                          title={missing}
                          aria-label={words.changeOne(spelledOut(one.name))}
                          onClick={() => setOpen({ dialog: 'edit', of: one })}
                        >
                          {words.edit}
                        </button>{' '}
                        <button
                          type="button"
                          disabled={missing !== undefined}
                          title={missing}
                          aria-label={words.deleteOne(spelledOut(one.name))}
                          onClick={() => setOpen({ dialog: 'delete', of: one })}
                        >
                          {words.remove}
                        </button>
                      </>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      <div>
        <button
          type="button"
          disabled={missing !== undefined}
          title={missing}
          onClick={() => setOpen({ dialog: 'edit', of: undefined })}
        >
          <Plus size={15} aria-hidden /> {words.create}
        </button>
      </div>
      {open?.dialog === 'edit' && (
        <SelectionEditor
          selection={open.of}
          saved={(name) => {
            close();
            choose(name);
          }}
          close={close}
        />
      )}
      {open?.dialog === 'delete' && open.of && (
        <DeleteDialog selection={open.of} deleted={() => choose(blockedSelection)} close={close} />
      )}
    </section>
  );
}

/** What is on it, in words. */
function Rules({ of: { blocked, new_score_min, tags, monitors } }: { of: Selection }) {
  return (
    <ul className="plain-list">
      {blocked && <li>{words.blocked}</li>}
      {new_score_min !== undefined && <li>{words.newFrom(new_score_min)}</li>}
      {tags.map((tag) => (
        <li key={plain(tag)}>{words.tagged(<Text of={tag} />)}</li>
      ))}
      {monitors.map(({ id, term }) => (
        <li key={id}>{words.ofMonitor(<Text of={term} />)}</li>
      ))}
    </ul>
  );
}

function DeleteDialog({
  selection,
  deleted,
  close,
}: {
  selection: Selection;
  deleted: () => void;
  close: () => void;
}) {
  const remove = useDeleteSelection();
  const run = () =>
    remove.mutate(plain(selection.name), {
      onSuccess: () => {
        showToast({ text: words.deleted });
        close();
        deleted();
      },
      onError: showFailure,
    });
  return (
    <Confirm
      label={words.deleteTitle}
      question={words.deleteQuestion(<Text of={selection.name} />)}
      action={words.remove}
      run={run}
      pending={remove.isPending}
      close={close}
    >
      <p>{words.deleteHint}</p>
    </Confirm>
  );
}
