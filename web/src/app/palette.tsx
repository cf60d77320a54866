import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { foreign } from '../data/foreign.ts';
import { keyRegistry } from '../keys/use-keys.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Text } from '../parts/text.tsx';
import { paletteWords } from '../words/app.ts';
import { Keys } from './help.tsx';
import { type PaletteItem, paletteItems } from './palette-items.ts';

const shownMax = 12;

/** A combobox after the ARIA pattern: the field keeps the focus, the arrows choose. */
export function Palette({ close }: { close: () => void }) {
  const navigate = useNavigate();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const bindings = useMemo(() => keyRegistry.all(), []);
  const items = useMemo(() => paletteItems(typed, bindings).slice(0, shownMax), [typed, bindings]);
  const run = (item: PaletteItem | undefined) => {
    if (!item) return;
    close();
    if ('href' in item.act) void navigate({ href: item.act.href });
    // The dialog gives the focus back first.
    else setTimeout(item.act.run);
  };
  const optionId = (index: number) => `${id}-${index}`;
  return (
    <Dialog label={paletteWords.title} close={close} className="palette">
      <div className="palette-field">
        <Search size={18} aria-hidden />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={items.length > 0 ? optionId(at) : undefined}
          aria-label={paletteWords.hint}
          placeholder={paletteWords.hint}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') setAt((before) => Math.min(items.length - 1, before + 1));
            else if (event.key === 'ArrowUp') setAt((before) => Math.max(0, before - 1));
            else if (event.key === 'Enter') run(items[at]);
            else return;
            event.preventDefault();
          }}
        />
      </div>
      <ul role="listbox" id={`${id}-list`} aria-label={paletteWords.choices}>
        {items.map((item, index) => (
          <li
            key={item.id}
            id={optionId(index)}
            role="option"
            aria-selected={index === at}
            onClick={() => run(item)}
          >
            <span>
              {item.label}{' '}
              {item.subject !== undefined && (
                <b>
                  <Text of={foreign(item.subject)} />
                </b>
              )}
            </span>
            {item.keys !== undefined && (
              <span>
                <Keys of={item.keys} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {items.length === 0 && <p className="pale">{paletteWords.nothing}</p>}
    </Dialog>
  );
}
