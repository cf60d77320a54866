/** The tree of searches as lines, in the order in which they are shown, with what a tree needs to say about each. */

interface Child {
  readonly id: string;
  readonly parent_id: string | null;
}

export interface TreeLine<Node extends Child> {
  readonly node: Node;
  /** From 1. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
}

/** A search whose parent is unknown is at the root, so that nothing is ever hidden. */
export function treeLines<Node extends Child>(
  nodes: readonly Node[],
  closed: ReadonlySet<string>,
): readonly TreeLine<Node>[] {
  const known = new Set(nodes.map(({ id }) => id));
  const children = new Map<string | null, Node[]>();
  for (const node of nodes) {
    const parent = node.parent_id !== null && known.has(node.parent_id) ? node.parent_id : null;
    const siblings = children.get(parent) ?? [];
    children.set(parent, siblings);
    siblings.push(node);
  }
  const lines: TreeLine<Node>[] = [];
  const open = [{ of: children.get(null) ?? [], at: 0 }];
  // A stack of its own: a tree may be one branch of 500.
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const node = top.of[top.at];
    if (!node) {
      open.pop();
      continue;
    }
    top.at += 1;
    const below = children.get(node.id) ?? [];
    const isOpen = !closed.has(node.id);
    lines.push({
      node,
      level: open.length,
      position: top.at,
      siblings: top.of.length,
      hasChildren: below.length > 0,
      isOpen,
    });
    if (isOpen && below.length > 0) open.push({ of: below, at: 0 });
  }
  return lines;
}

export type TreeMove = { readonly go: string } | { readonly open: string } | { readonly close: string };

/** What a key does in a tree, after the ARIA pattern; undefined for keys that are none of it. */
export function treeMove<Node extends Child>(
  key: string,
  lines: readonly TreeLine<Node>[],
  current: string | undefined,
): TreeMove | undefined {
  const at = lines.findIndex(({ node }) => node.id === current);
  const line = lines[at];
  const go = (index: number): TreeMove | undefined => {
    const target = lines[Math.max(0, Math.min(index, lines.length - 1))];
    return target && { go: target.node.id };
  };
  if (key === 'ArrowDown') return go(at + 1);
  if (key === 'ArrowUp') return go(at - 1);
  if (key === 'Home') return go(0);
  if (key === 'End') return go(lines.length - 1);
  if (!line) return undefined;
  if (key === 'ArrowRight' && line.hasChildren) return line.isOpen ? go(at + 1) : { open: line.node.id };
  if (key === 'ArrowLeft') {
    if (line.hasChildren && line.isOpen) return { close: line.node.id };
    const parent = lines.slice(0, at).findLastIndex(({ level }) => level < line.level);
    return parent < 0 ? undefined : go(parent);
  }
  return undefined;
}
