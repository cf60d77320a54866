/** The tags of a domain on its page: each leads to the search for it, and the dialog changes them. */
import { Tag } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { plain } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { SearchLink } from '../../parts/search-link.tsx';
import { tagChipWords as words } from '../../words/tags.ts';
import type { TagOfDomain } from './tag-data.ts';
import { TagLabel } from './tag-label.tsx';

const TagDialog = lazy(async () => ({ default: (await import('./tag-dialog.tsx')).TagDialog }));

export function DomainTags({ tags, name }: { tags: readonly TagOfDomain[]; name: string }) {
  const missing = useMissing('triage');
  const [isOpen, setOpen] = useState(false);
  useKeys([{ keys: 't', label: words.edit, group: 'Domain', run: () => setOpen(true), disabled: missing }]);
  return (
    <div className="tag-chips">
      {tags.map((tag) => (
        <SearchLink
          key={`${tag.scope} ${plain(tag.label)}`}
          query={{ parameters: { tagged_with_any: [plain(tag.label)] } }}
          className="tag-chip"
        >
          <TagLabel tag={tag} />
        </SearchLink>
      ))}
      <button
        type="button"
        className="ghost"
        disabled={missing !== undefined}
        title={missing}
        onClick={() => setOpen(true)}
      >
        <Tag size={15} aria-hidden /> {words.edit}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <TagDialog domains={[name]} close={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
