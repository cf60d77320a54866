import '../../styles/monitors.css';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { countsKey } from '../../data/detect.ts';
import { foreign } from '../../data/foreign.ts';
import { useCreateMonitor } from '../../data/monitors.ts';
import { showToast } from '../../data/toasts.ts';
import { Text } from '../../parts/text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { editorWords, monitorWords } from '../../words/monitors.ts';
import { MonitorEditor } from './monitor-editor.tsx';

export function NewMonitor() {
  useTitle(monitorWords.newOne);
  const { term = '' } = useSearch({ from: '/app/monitors/new' });
  const navigate = useNavigate();
  return (
    <div className="page-body monitors-page">
      <h1>{monitorWords.newOne}</h1>
      <Editor term={term} done={() => void navigate({ to: '/monitors' })} />
    </div>
  );
}

/** Where nothing is monitored yet: the first one is made where its domains will appear. */
export function FirstMonitor() {
  const client = useQueryClient();
  return (
    <div className="monitors-page">
      <Editor term="" done={() => void client.invalidateQueries({ queryKey: countsKey })} />
    </div>
  );
}

function Editor({ term, done }: { term: string; done: () => void }) {
  const create = useCreateMonitor();
  return (
    <MonitorEditor
      first={{
        term,
        match_substring_variations: false,
        nameserver_exclusions: [],
        text_exclusions: [],
        passive_only: false,
      }}
      saveLabel={editorWords.watchForIt}
      saving={create.isPending}
      error={create.error}
      save={(draft) =>
        create.mutate(draft, {
          onSuccess: () => {
            showToast({ text: editorWords.watching(<Text of={foreign(draft.term)} />) });
            done();
          },
        })
      }
    />
  );
}
