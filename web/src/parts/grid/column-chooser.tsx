import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { gridWords } from '../../words/grid.ts';
import { Dialog } from '../dialog.tsx';

export interface ChoosableColumn {
  readonly id: string;
  readonly name: string;
}

interface ColumnChooserProps {
  readonly all: readonly ChoosableColumn[];
  readonly chosen: readonly string[];
  /** Undefined: the usual ones. */
  readonly choose: (columns: readonly string[] | undefined) => void;
}

/** Which columns a table has. They come in the order in which they were chosen. */
export function ColumnChooser({ all, chosen, choose }: ColumnChooserProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Columns3 size={15} aria-hidden /> <span className="wide-label">{gridWords.columns}</span>
      </button>
      {isOpen && <Chooser all={all} chosen={chosen} choose={choose} close={() => setOpen(false)} />}
    </>
  );
}

function Chooser({ all, chosen, choose, close }: ColumnChooserProps & { readonly close: () => void }) {
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const isWanted = ({ id, name }: ChoosableColumn) =>
    id.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted);
  const found = all.filter(isWanted);
  const toggle = (id: string) =>
    choose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <Dialog label={gridWords.chooseColumns} close={close}>
      <h2>{gridWords.chooseColumns}</h2>
      <input
        type="search"
        aria-label={gridWords.findColumn}
        placeholder={gridWords.findColumn}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <div className="column-list">
        {found.map(({ id, name }) => (
          <label key={id} className="choice">
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            {name}
          </label>
        ))}
        {found.length === 0 && <p className="pale">{gridWords.noSuchColumn}</p>}
      </div>
      <div className="buttons">
        <button type="button" onClick={() => choose(undefined)}>
          {gridWords.usualColumns}
        </button>
      </div>
    </Dialog>
  );
}
