/**
 * Where the web UI draws text that somebody else wrote by another way than `<Text>` and `<Name>`. The compiler refuses such text as a string
 * (`web/src/data/foreign.ts`); this finds the ways around it: the text unwrapped or cast where something is drawn, and markup as text.
 */
import { parseSync } from 'oxc-parser';

interface SyntaxNode {
  readonly type: string;
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

const childrenOf = (node: SyntaxNode): readonly SyntaxNode[] => Object.values(node).flat().filter(isNode);

/** Attributes that are drawn or read aloud. */
const drawnAttributes = [
  'title',
  'alt',
  'aria-label',
  'aria-description',
  'placeholder',
  'label',
  'children',
];
const forbiddenAttributes = ['dangerouslySetInnerHTML', 'srcDoc'];

function nameOf(node: unknown): string {
  return isNode(node) ? String(node['name'] ?? '') : '';
}

/** `plain(text)`, `text as unknown as string` and `String(text)` in what is drawn itself, not in attributes of elements within. */
function unwrapsIn(node: SyntaxNode): boolean {
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return false;
  if (node.type === 'CallExpression' && ['plain', 'String'].includes(nameOf(node['callee']))) return true;
  if (
    node.type === 'TSAsExpression' &&
    isNode(node['typeAnnotation']) &&
    node['typeAnnotation'].type === 'TSStringKeyword'
  )
    return true;
  // What a function does later is not drawn, and what a comparison reads is not either.
  if (/Function/.test(node.type) || node.type === 'BinaryExpression') return false;
  const calls =
    node.type === 'CallExpression'
      ? [node['callee'], ...(node['arguments'] as unknown[])].filter(isNode)
      : childrenOf(node);
  return calls.some(unwrapsIn);
}

/** The values that an expression can have, without those that decide which one it is. */
function valuesOf(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === 'ConditionalExpression')
    return [node['consequent'], node['alternate']].filter(isNode).flatMap(valuesOf);
  if (node.type === 'LogicalExpression') {
    const [left, right] = [node['left'], node['right']].filter(isNode) as [SyntaxNode, SyntaxNode];
    return node['operator'] === '&&' ? valuesOf(right) : [...valuesOf(left), ...valuesOf(right)];
  }
  return [node];
}

/** The compiler does not check the children of a fragment, so a value needs an element around it, where it does. */
const isUncheckedValue = (node: SyntaxNode): boolean =>
  valuesOf(node).some(
    ({ type, name }) =>
      (type === 'Identifier' && name !== 'undefined' && name !== 'children') ||
      type === 'MemberExpression' ||
      type === 'ChainExpression',
  );

/** Expressions among the children of an element or a fragment. */
function drawnIn(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') return [];
  const containers = (node['children'] as SyntaxNode[]).filter(
    ({ type }) => type === 'JSXExpressionContainer',
  );
  return containers.map(({ expression }) => expression).filter(isNode);
}

/** One line for each finding. */
export function drawnForeignText(file: string, source: string): readonly string[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: string[] = [];
  const report = (node: SyntaxNode, what: string) => {
    const line = source.slice(0, Number(node['start'])).split('\n').length;
    found.push(`${file}:${line}: ${what}`);
  };
  const visit = (node: SyntaxNode): void => {
    for (const child of drawnIn(node)) {
      if (unwrapsIn(child)) report(child, 'unwrapped text as a child');
      if (node.type === 'JSXFragment' && isUncheckedValue(child))
        report(child, 'a value in a fragment: put an element around it');
    }
    if (node.type === 'JSXAttribute') {
      const name = nameOf(node['name']);
      if (forbiddenAttributes.includes(name)) report(node, name);
      const value = node['value'];
      if (drawnAttributes.includes(name) && isNode(value) && unwrapsIn(value))
        report(node, `unwrapped text as ${name}`);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program as unknown as SyntaxNode);
  return found;
}
