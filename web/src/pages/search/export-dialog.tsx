import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ExportFormat } from '../../../../src/http/web/search/search-wire.ts';
import { downloadFile } from '../../data/download.ts';
import { useCatalogue, useSearchCount } from '../../data/search.ts';
import { showToast } from '../../data/toasts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FieldError } from '../../parts/field-error.tsx';
import { requestOf, type SearchQuery } from '../../query/search-query.ts';
import { exportWords as words } from '../../words/search.ts';

const formats: readonly ExportFormat[] = ['csv', 'ndjson', 'stix', 'txt'];

/** A file of everything that a search finds. */
export function ExportDialog({ query, close }: { query: SearchQuery; close: () => void }) {
  const [as, setAs] = useState<ExportFormat>('csv');
  const [defang, setDefang] = useState(false);
  const count = useSearchCount(query).data;
  const max = useCatalogue().data?.export_max ?? Number.POSITIVE_INFINITY;
  const isOver = count !== undefined && count.total > max;
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const save = useMutation({
    mutationFn: () =>
      downloadFile(
        '/export',
        { ...requestOf(query), as, ...(defang && as !== 'stix' && { defang: 'true' }) },
        leaving.current.signal,
      ),
    onSuccess: (file) => {
      showToast({ text: words.done(file) });
      close();
    },
  });
  return (
    <Dialog label={words.title} close={close}>
      <h2>{words.title}</h2>
      {count && <p>{words.what(count.total)}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <fieldset className="formats">
          <legend>{words.format}</legend>
          {formats.map((format) => (
            <label key={format} className="choice">
              <input type="radio" name="as" checked={as === format} onChange={() => setAs(format)} />
              {words.formats[format]}
            </label>
          ))}
        </fieldset>
        <label className="choice" title={as === 'stix' ? words.notForStix : undefined}>
          <input
            type="checkbox"
            checked={defang && as !== 'stix'}
            disabled={as === 'stix'}
            onChange={({ target }) => setDefang(target.checked)}
          />
          {words.defang}
        </label>
        {isOver && <p className="banner">{words.overLimit(max)}</p>}
        <FieldError error={save.error} />
        <div className="buttons">
          <button type="submit" className="primary" disabled={save.isPending || isOver}>
            <Download size={15} aria-hidden /> {save.isPending ? words.preparing : words.download}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
