/** Enumerates the mutants of a source file: one small change each, at a node of its syntax tree that exists at run time. */
import { parseSync } from 'oxc-parser';

export interface Mutant {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

const operators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
  '++': '--',
  '--': '++',
};

/** Nodes that only types or module resolution see. */
const ignored = /^(?:TS(?!AsExpression|NonNullExpression|SatisfiesExpression)|Import|ExportAll)/;

export function mutantsOf(text: string): readonly Mutant[] {
  const { program, errors } = parseSync('source.ts', text);
  if (errors.length > 0) throw new Error(`cannot be parsed: ${errors[0]?.message}`);
  const mutants: Mutant[] = [];
  const add = (start: number, end: number, replacement: string) => {
    const original = text.slice(start, end);
    if (original !== replacement)
      mutants.push({ line: text.slice(0, start).split('\n').length, start, end, original, replacement });
  };
  visit(program as unknown as Node, (node) => mutate(node, text, add));
  return mutants;
}

function visit(node: Node, act: (node: Node) => void): void {
  if (ignored.test(node.type)) return;
  act(node);
  for (const [name, value] of Object.entries(node)) {
    if (name === 'key' && node['computed'] !== true) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, act);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

type Add = (start: number, end: number, replacement: string) => void;

function mutate(node: Node, text: string, add: Add): void {
  const replace = (replacement: string) => add(node.start, node.end, replacement);
  const operator = String(node['operator'] ?? '');
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      swapOperator(node, operator, text, add);
      break;
    case 'UpdateExpression':
      if (node['prefix'] === true) add(node.start, node.start + 2, operators[operator] as string);
      else add(node.end - 2, node.end, operators[operator] as string);
      break;
    case 'UnaryExpression':
      if (operator === '!') add(node.start, node.start + 1, '');
      break;
    case 'Literal':
      if (typeof node['value'] === 'boolean') replace(String(!node['value']));
      else if (typeof node['value'] === 'number') replace(String(node['value'] + 1));
      else if (typeof node['value'] === 'string') replace(node['value'] === '' ? "'mutant'" : "''");
      break;
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement': {
      const test = node['test'] as Node;
      add(test.start, test.end, `!(${text.slice(test.start, test.end)})`);
      break;
    }
    case 'ReturnStatement':
      if (isNode(node['argument'])) replace('return undefined;');
      break;
    case 'ExpressionStatement':
      replace(';');
      break;
  }
}

/** Concatenation of strings has no counterpart, and a plain assignment is mutated as a removed statement. */
function swapOperator(node: Node, operator: string, text: string, add: Add): void {
  const swapped = operators[operator];
  const [left, right] = [node['left'] as Node, node['right'] as Node];
  if (swapped === undefined || [left, right].some(isText)) return;
  const at = text.indexOf(operator, left.end);
  if (at >= 0 && at < right.start) add(at, at + operator.length, swapped);
}

function isText({ type, value }: Node): boolean {
  return type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');
}
