/** The searches of an investigation as a tree, after the ARIA pattern: arrows move, open and close. */
import { ChevronDown, ChevronRight, Star, Waypoints } from 'lucide-react';
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { foreign } from '../../data/foreign.ts';
import { queryOfNode, type SearchNode } from '../../data/investigation/investigations.ts';
import { Risk } from '../../parts/risk.tsx';
import { Text } from '../../parts/text.tsx';
import { treeWords as words } from '../../words/investigations.ts';
import { queryWords } from '../search/condition-words.ts';
import { type TreeLine, treeLines, treeMove } from './tree-lines.ts';

export interface SearchTreeHandle {
  focus(): void;
}

interface SearchTreeProps {
  readonly nodes: readonly SearchNode[];
  readonly current: string | undefined;
  readonly choose: (id: string) => void;
  readonly inGraph: ReadonlySet<string>;
  readonly handle: Ref<SearchTreeHandle>;
}

export function SearchTree({ nodes, current, choose, inGraph, handle }: SearchTreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const tree = useRef<HTMLUListElement>(null);
  const isMoving = useRef(false);
  const lines = treeLines(nodes, closed);
  const focusCurrent = () =>
    tree.current?.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus();
  useImperativeHandle(handle, () => ({ focus: focusCurrent }), []);
  useEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    focusCurrent();
  }, [current]);
  const setOpen = (id: string, isOpen: boolean) =>
    setClosed((before) => {
      const next = new Set(before);
      if (isOpen) next.delete(id);
      else next.add(id);
      return next;
    });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = treeMove(event.key, lines, current);
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    if ('go' in move) {
      isMoving.current = true;
      choose(move.go);
    } else if ('open' in move) setOpen(move.open, true);
    else setOpen(move.close, false);
  };
  const shown = lines.some(({ node }) => node.id === current) ? current : lines[0]?.node.id;
  return (
    <ul ref={tree} role="tree" aria-label={words.label} className="search-tree" onKeyDown={onKeyDown}>
      {lines.map((line) => (
        <TreeItem
          key={line.node.id}
          line={line}
          isCurrent={line.node.id === current}
          hasFocus={line.node.id === shown}
          isInGraph={inGraph.has(line.node.id)}
          choose={() => choose(line.node.id)}
          toggle={() => setOpen(line.node.id, !line.isOpen)}
        />
      ))}
    </ul>
  );
}

interface TreeItemProps {
  readonly line: TreeLine<SearchNode>;
  readonly isCurrent: boolean;
  /** It is the one of the tree that Tab reaches. */
  readonly hasFocus: boolean;
  readonly isInGraph: boolean;
  readonly choose: () => void;
  readonly toggle: () => void;
}

const indent = 16;

function TreeItem({ line, isCurrent, hasFocus, isInGraph, choose, toggle }: TreeItemProps) {
  const { node, level, position, siblings, hasChildren, isOpen } = line;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const risk = node.count_now ?? node.count_then;
  return (
    <li
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isCurrent}
      {...(hasChildren && { 'aria-expanded': isOpen })}
      tabIndex={hasFocus ? 0 : -1}
      style={{ paddingInlineStart: 6 + (Math.min(level, 8) - 1) * indent }}
      onClick={choose}
    >
      <span
        className="twist"
        aria-hidden
        onClick={(event) => {
          if (!hasChildren) return;
          event.stopPropagation();
          toggle();
        }}
      >
        {hasChildren && <Chevron size={14} />}
      </span>
      <span className="tree-text">
        <span className="tree-query">
          {node.star && <Star size={13} aria-label={words.star} className="starred" />}
          {isInGraph && <Waypoints size={13} aria-label={words.inGraph} />}
          <Text of={foreign(queryWords(queryOfNode(node)))} />
        </span>
        <span className="tree-facts">
          <TreeCount node={node} />
          {risk && risk.average_risk !== null && <Risk score={Math.round(risk.average_risk)} status={null} />}
        </span>
        {node.note !== foreign('') && (
          <span className="tree-note">
            <Text of={node.note} />
          </span>
        )}
      </span>
    </li>
  );
}

/** Then and now; one number where nothing has changed. */
function TreeCount({ node: { count_then: then, count_now: now } }: { node: SearchNode }) {
  const show = (count: SearchNode['count_now']) =>
    count === null ? words.notCounted : words.number(count.domains);
  if (then === null && now === null) return <span>{words.notCounted}</span>;
  if (then && now && then.domains === now.domains)
    return <span aria-label={words.countSame(show(now))}>{words.domains(now.domains)}</span>;
  const grown = (now?.domains ?? 0) - (then?.domains ?? 0);
  return (
    <span aria-label={words.counts(show(then), show(now))} className={grown > 0 ? 'grown' : undefined}>
      {show(then)} {'→'} {now === null ? show(now) : words.domains(now.domains)}
    </span>
  );
}
