import '../../styles/tags.css';
import type { Foreign } from '../../data/foreign.ts';
import { Text } from '../../parts/text.tsx';
import { tagWords } from '../../words/tags.ts';
import type { TagColour, TagScope } from './tag-data.ts';

interface TagLabelProps {
  readonly tag: { readonly label: Foreign; readonly colour: TagColour; readonly scope: TagScope };
}

/** A tag: its colour as a dot, which is a ring for one that nobody else sees. */
export function TagLabel({ tag: { label, colour, scope } }: TagLabelProps) {
  return (
    <span className="tag-label">
      <span className={`tag-dot ${colour} ${scope}`} aria-hidden="true" />
      <Text of={label} />
      {scope === 'own' && <small>{tagWords.onlyYours}</small>}
    </span>
  );
}
