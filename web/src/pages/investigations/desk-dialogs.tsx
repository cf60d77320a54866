/** The dialogs of an investigation's page. */
import { useNavigate } from '@tanstack/react-router';
import { foreign } from '../../data/foreign.ts';
import {
  changeNode,
  type Investigation,
  queryOfNode,
  removeNode,
  removeWhole,
  type SearchNode,
} from '../../data/investigation/investigations.ts';
import { dialogWords } from '../../words/investigations.ts';
import { queryWords } from '../search/condition-words.ts';
import { EditDialog, NoteDialog, RemoveDialog } from './change-dialogs.tsx';
import { treeLines } from './tree-lines.ts';

export type DeskDialog = 'edit' | 'note' | 'remove-node' | 'remove' | undefined;

interface DeskDialogsProps {
  readonly dialog: DeskDialog;
  readonly investigation: Investigation;
  /** The current search. */
  readonly node: SearchNode | undefined;
  readonly close: () => void;
}

export function DeskDialogs({ dialog, investigation, node, close }: DeskDialogsProps) {
  const navigate = useNavigate();
  const { id, version } = investigation;
  return (
    <>
      {dialog === 'edit' && <EditDialog investigation={investigation} close={close} />}
      {dialog === 'note' && node && (
        <NoteDialog
          key={node.id}
          id={id}
          about={foreign(queryWords(queryOfNode(node)))}
          note={node.note}
          version={version}
          change={(basis, note) => changeNode(basis, node.id, { note })}
          close={close}
        />
      )}
      {dialog === 'remove-node' && node && (
        <RemoveDialog
          id={id}
          title={dialogWords.removeNodeTitle}
          text={dialogWords.removeNodeText(belowOf(node.id, investigation))}
          change={removeNode(version, node.id)}
          done={close}
          close={close}
        />
      )}
      {dialog === 'remove' && (
        <RemoveDialog
          id={id}
          title={dialogWords.removeTitle}
          text={dialogWords.removeText(investigation.searches, investigation.findings)}
          change={removeWhole(version)}
          done={() => void navigate({ to: '/investigations' })}
          close={close}
        />
      )}
    </>
  );
}

/** How many searches are below one. */
function belowOf(id: string, { nodes }: Investigation): number {
  const lines = treeLines(nodes, new Set());
  const at = lines.findIndex(({ node }) => node.id === id);
  const level = lines[at]?.level ?? 0;
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line.level <= level);
  return end < 0 ? rest.length : end;
}
