/** The syntax trees of sources, for checks that a pattern of characters cannot make. */
import { parseSync } from 'oxc-parser';

export interface SyntaxNode {
  readonly type: string;
  readonly [member: string]: unknown;
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

export const childrenOf = (node: SyntaxNode): readonly SyntaxNode[] =>
  Object.values(node).flat().filter(isNode);

export function nameOf(node: unknown): string {
  return isNode(node) ? String(node['name'] ?? '') : '';
}

/** The values that an expression can have, without those that decide which one it is. */
export function valuesOf(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === 'ConditionalExpression')
    return [node['consequent'], node['alternate']].filter(isNode).flatMap(valuesOf);
  if (node.type === 'LogicalExpression') {
    const [left, right] = [node['left'], node['right']].filter(isNode) as [SyntaxNode, SyntaxNode];
    return node['operator'] === '&&' ? valuesOf(right) : [...valuesOf(left), ...valuesOf(right)];
  }
  return [node];
}

/** Expressions among the children of an element or a fragment. */
export function drawnIn(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') return [];
  const containers = (node['children'] as SyntaxNode[]).filter(
    ({ type }) => type === 'JSXExpressionContainer',
  );
  return containers.map(({ expression }) => expression).filter(isNode);
}

type Report = (node: SyntaxNode, what: string) => void;

/** One line, `file:line: what`, for each thing that `check` reports of a node. */
export function findingsIn(
  file: string,
  source: string,
  check: (node: SyntaxNode, report: Report) => void,
): readonly string[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: string[] = [];
  const report: Report = (node, what) => {
    const line = source.slice(0, Number(node['start'])).split('\n').length;
    found.push(`${file}:${line}: ${what}`);
  };
  const visit = (node: SyntaxNode): void => {
    check(node, report);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program as unknown as SyntaxNode);
  return found;
}
