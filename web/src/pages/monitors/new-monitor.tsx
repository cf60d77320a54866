import '../../styles/monitors.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { foreign } from '../../data/foreign.ts';
import { useCreateMonitor } from '../../data/monitors.ts';
import { showToast } from '../../data/toasts.ts';
import { Text } from '../../parts/text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { MonitorEditor } from './monitor-editor.tsx';

export function NewMonitor() {
  useTitle('New monitor');
  const { term = '' } = useSearch({ from: '/app/monitors/new' });
  const navigate = useNavigate();
  const create = useCreateMonitor();
  return (
    <div className="page-body monitors-page">
      <h1>New monitor</h1>
      <MonitorEditor
        first={{ term, match_substring_variations: false, nameserver_exclusions: [], text_exclusions: [] }}
        saveLabel="Watch for it"
        saving={create.isPending}
        error={create.error}
        save={(draft) =>
          create.mutate(draft, {
            onSuccess: () => {
              showToast({
                text: (
                  <>
                    Watching for <Text of={foreign(draft.term)} />; known names are being searched
                  </>
                ),
              });
              void navigate({ to: '/monitors' });
            },
          })
        }
      />
    </div>
  );
}
