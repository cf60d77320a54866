/** The name of an investigation, whose it is, and what can be done with the whole. */
import { Download, Pencil, Trash2 } from 'lucide-react';
import { downloadFile } from '../../data/download.ts';
import { foreign, plain } from '../../data/foreign.ts';
import { type Investigation, investigationPath } from '../../data/investigation/investigations.ts';
import { showToast } from '../../data/toasts.ts';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { sharingWords, pageWords as words } from '../../words/investigations.ts';
import { timeWords } from '../../words/parts.ts';
import type { DeskDialog } from './desk-dialogs.tsx';
import { useHindrances } from './use-hindrances.ts';

export function InvestigationHead({
  investigation,
  open,
}: {
  investigation: Investigation;
  open: (dialog: DeskDialog) => void;
}) {
  const { id, name, note, sharing, by, changed_at, may } = investigation;
  const hindered = useHindrances(investigation);
  const exportFile = async () => {
    try {
      await downloadFile(investigationPath(id, '/export'), {}, new AbortController().signal);
    } catch (error) {
      showToast({ bad: true, text: <Text of={foreign(error instanceof Error ? error.message : '')} /> });
    }
  };
  return (
    <header className="investigation-head">
      <div>
        <h1>
          <Text of={name} />
        </h1>
        <p className="pale">
          <span className="chip">{sharingWords[sharing]}</span>{' '}
          {words.byWhom(<Text of={by} />, <Ago at={changed_at} suffix={timeWords.ago} />)}
        </p>
        {plain(note) !== '' && (
          <p className="node-note">
            <Text of={note} lines />
          </p>
        )}
      </div>
      <div className="buttons">
        <button type="button" disabled={!may.add} title={hindered.add} onClick={() => open('edit')}>
          <Pencil size={15} aria-hidden /> {words.edit}
        </button>
        <button type="button" onClick={() => void exportFile()}>
          <Download size={15} aria-hidden /> {words.exportFile}
        </button>
        <button
          type="button"
          className="danger"
          disabled={!may.manage}
          title={hindered.manage}
          onClick={() => open('remove')}
        >
          <Trash2 size={15} aria-hidden /> {words.remove}
        </button>
      </div>
    </header>
  );
}
