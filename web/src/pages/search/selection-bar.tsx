import { useQueryClient } from '@tanstack/react-query';
import { Copy, Tag } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useMissing } from '../../data/me.ts';
import { resultKey } from '../../data/search.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { defang } from '../../names/defang.ts';
import { searchWords as words } from '../../words/search.ts';
import { copyText } from '../triage/copy-name.ts';

const TagDialog = lazy(async () => ({ default: (await import('../tags/tag-dialog.tsx')).TagDialog }));

/** One name a line. */
const copyNames = (names: readonly string[], isDefanged: boolean): Promise<void> =>
  copyText(
    names.map((name) => (isDefanged ? defang(name) : name)).join('\n'),
    isDefanged ? words.copiedDefanged(names.length) : words.copied(names.length),
  );

/** What can be done with the rows that are selected. */
export function SelectionBar({ names, clear }: { names: readonly string[]; clear: () => void }) {
  const [isTagging, setTagging] = useState(false);
  const cannotTag = useMissing('triage');
  const client = useQueryClient();
  const leaveTags = () => {
    setTagging(false);
    // The table shows tags.
    void client.invalidateQueries({ queryKey: resultKey });
  };
  useKeys([
    { keys: 't', label: words.keys.tag, group: 'Domain', disabled: cannotTag, run: () => setTagging(true) },
    { keys: 'y', label: words.keys.copyDefanged, group: 'Domain', run: () => void copyNames(names, true) },
    { keys: 'Shift+Y', label: words.keys.copy, group: 'Domain', run: () => void copyNames(names, false) },
    { keys: 'Escape', label: words.keys.clear, group: 'Select', run: clear },
  ]);
  return (
    <div className="selection-bar" role="toolbar" aria-label={words.selected(names.length)}>
      <b>{words.selected(names.length)}</b>
      <button type="button" onClick={() => void copyNames(names, true)}>
        <Copy size={15} aria-hidden /> {words.copyDefanged} <kbd>{words.keyNames.copyDefanged}</kbd>
      </button>
      <button
        type="button"
        disabled={cannotTag !== undefined}
        title={cannotTag}
        onClick={() => setTagging(true)}
      >
        <Tag size={15} aria-hidden /> {words.tag} <kbd>{words.keyNames.tag}</kbd>
      </button>
      <button type="button" className="ghost" onClick={clear}>
        {words.clear}
      </button>
      {isTagging && (
        <Suspense>
          <TagDialog domains={names} close={leaveTags} />
        </Suspense>
      )}
    </div>
  );
}
