/**
 * English in the sources of the web UI outside `web/src/words`: what a person reads is written there, so that a translation has one home.
 * Texts between tags, texts of attributes that are drawn or read aloud, and sentences in any other string.
 */
import { drawnIn, findingsIn, isNode, nameOf, type SyntaxNode, valuesOf } from './syntax-tree.ts';

const drawnAttributes =
  /^(?:title|alt|placeholder|label|what|hint|suffix|children|aria-(?:label|description|valuetext|roledescription))$|Label$/;
/** Members of objects that hold what is drawn: bindings of keys, messages, choices. */
const drawnMembers = ['label', 'text', 'title', 'hint'];
/** Functions whose first text is drawn. */
const drawingFunctions = ['useTitle'];
/** Two words, the first with a capital letter and the second without. */
const sentence = /^\p{Lu}[\p{L}’']*,? \p{Ll}/u;
const hasLetters = (text: string): boolean => /\p{L}/u.test(text);

/** The text of a literal, the fixed parts of a template. */
function textOf(node: SyntaxNode): string | undefined {
  if (node.type === 'JSXExpressionContainer')
    return isNode(node['expression']) ? textOf(node['expression']) : undefined;
  if (node.type === 'JSXText' || node.type === 'Literal')
    return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node['quasis'] as SyntaxNode[]).map(({ value }) => (value as { cooked: string }).cooked).join(' ');
}

/** Literals with letters among the values that an expression can have. */
function literalsIn(node: SyntaxNode): readonly SyntaxNode[] {
  const inner =
    node.type === 'JSXExpressionContainer' && isNode(node['expression']) ? node['expression'] : node;
  return valuesOf(inner).filter((value) => hasLetters(textOf(value) ?? ''));
}

/** Keys and commands are the same in every language. */
const isVerbatim = (node: SyntaxNode): boolean =>
  node.type === 'JSXElement' &&
  ['kbd', 'code'].includes(nameOf((node['openingElement'] as SyntaxNode)['name']));

/** One line for each finding. */
export const literalWords = (file: string, source: string): readonly string[] =>
  findingsIn(file, source, (node, report) => {
    const say = (what: SyntaxNode) =>
      report(what, `“${textOf(what)?.replaceAll(/\s+/g, ' ').trim().slice(0, 40)}” belongs to web/src/words`);
    if ((node.type === 'JSXElement' || node.type === 'JSXFragment') && !isVerbatim(node)) {
      const texts = (node['children'] as SyntaxNode[]).filter(({ type }) => type === 'JSXText');
      texts.filter((text) => hasLetters(textOf(text) ?? '')).forEach(say);
      for (const child of drawnIn(node)) literalsIn(child).forEach(say);
    }
    if (node.type === 'JSXAttribute' && drawnAttributes.test(nameOf(node['name'])) && isNode(node['value']))
      literalsIn(node['value']).forEach(say);
    if (node.type === 'Property' && drawnMembers.includes(nameOf(node['key'])) && isNode(node['value']))
      literalsIn(node['value']).forEach(say);
    if (node.type === 'CallExpression' && drawingFunctions.includes(nameOf(node['callee'])))
      (node['arguments'] as SyntaxNode[]).slice(0, 1).flatMap(literalsIn).forEach(say);
    if ((node.type === 'Literal' || node.type === 'TemplateLiteral') && sentence.test(textOf(node) ?? ''))
      say(node);
  }).filter((line, index, all) => all.indexOf(line) === index);
