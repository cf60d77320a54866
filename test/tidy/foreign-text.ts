/**
 * Where the web UI draws text that somebody else wrote by another way than `<Text>` and `<Name>`. The compiler refuses such text as a string
 * (`web/src/data/foreign.ts`); this finds the ways around it: the text unwrapped or cast where something is drawn, and markup as text.
 */
import { childrenOf, drawnIn, findingsIn, isNode, nameOf, type SyntaxNode, valuesOf } from './syntax-tree.ts';

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

/** The compiler does not check the children of a fragment, so a value needs an element around it, where it does. */
const isUncheckedValue = (node: SyntaxNode): boolean =>
  valuesOf(node).some(
    ({ type, name }) =>
      (type === 'Identifier' && name !== 'undefined' && name !== 'children') ||
      type === 'MemberExpression' ||
      type === 'ChainExpression',
  );

/** One line for each finding. */
export const drawnForeignText = (file: string, source: string): readonly string[] =>
  findingsIn(file, source, (node, report) => {
    for (const child of drawnIn(node)) {
      if (unwrapsIn(child)) report(child, 'unwrapped text as a child');
      if (node.type === 'JSXFragment' && isUncheckedValue(child))
        report(child, 'a value in a fragment: put an element around it');
    }
    if (node.type !== 'JSXAttribute') return;
    const name = nameOf(node['name']);
    if (forbiddenAttributes.includes(name)) report(node, name);
    const value = node['value'];
    if (drawnAttributes.includes(name) && isNode(value) && unwrapsIn(value))
      report(node, `unwrapped text as ${name}`);
  });
