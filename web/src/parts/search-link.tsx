/** A link to a search. Before it is followed, hovering or focusing it counts the domains and names the riskiest five: a dry run. */
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useSearchCount } from '../data/search.ts';
import { addressOfQuery } from '../pages/search/search-address.ts';
import type { SearchQuery } from '../query/search-query.ts';
import { domains } from '../words/language.ts';
import { previewWords as words } from '../words/value-menu.ts';
import { anchorBelow, showPopoverAt } from './menu.tsx';
import { Text } from './text.tsx';

const afterMs = 350;

interface SearchLinkProps {
  readonly query: SearchQuery;
  readonly children: ReactNode;
  readonly className?: string;
  readonly label?: string;
}

export function SearchLink({ query, children, className, label }: SearchLinkProps) {
  const id = useId();
  const link = useRef<HTMLAnchorElement>(null);
  const [isWanted, setWanted] = useState(false);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isWanted) {
      setShown(false);
      return undefined;
    }
    const timer = setTimeout(() => setShown(true), afterMs);
    return () => clearTimeout(timer);
  }, [isWanted]);
  return (
    <span
      className="search-link"
      onPointerEnter={({ pointerType }) => setWanted(pointerType !== 'touch')}
      onPointerLeave={() => setWanted(false)}
      onFocus={() => setWanted(true)}
      onBlur={() => setWanted(false)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isShown) {
          event.preventDefault();
          setWanted(false);
        }
      }}
    >
      <Link
        ref={link}
        to="/search"
        search={addressOfQuery(query)}
        className={className}
        aria-label={label}
        aria-describedby={isShown ? id : undefined}
        preload={false}
      >
        {children}
      </Link>
      {isShown && <Preview id={id} query={query} below={link} />}
    </span>
  );
}

interface PreviewProps {
  readonly id: string;
  readonly query: SearchQuery;
  readonly below: React.RefObject<HTMLElement | null>;
}

function Preview({ id, query, below }: PreviewProps) {
  const count = useSearchCount(query);
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (element.current && below.current) showPopoverAt(element.current, anchorBelow(below.current));
  });
  return (
    <div ref={element} id={id} popover="manual" role="tooltip" className="menu preview">
      {count.isPending && <p className="pale">{words.noneYet}</p>}
      {count.isError && <p className="pale">{words.failed}</p>}
      {count.data && (
        <>
          <p>{words.search(domains(count.data.total))}</p>
          {count.data.first_names.length > 0 && <p className="pale">{words.riskiest}</p>}
          <ul className="mono">
            {count.data.first_names.map((name, index) => (
              <li key={index}>
                <Text of={name} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
