/** The manual page of all commands in the macros of man(7), with what many commands share said once. */
import { type CommandNode, everyNode, type OptionNode } from './command-tree.ts';

/** An option of so many commands is described among the common ones. */
const commonFrom = 8;

export function manPage(program: CommandNode, version: string): string {
  const nodes = [...everyNode(program)].filter(({ commands, path }) => commands.length === 0 && path !== '');
  const common = commonOptions(nodes);
  const isCommon = new Set(common.map(keyOf));
  return `${[
    `.TH NAMEGLASS 1 "" "Nameglass ${plain(version)}" "User Commands"`,
    '.SH NAME',
    `nameglass \\- ${plain(program.description.replace(/\.$/, '').toLowerCase())}`,
    '.SH SYNOPSIS',
    '.B nameglass',
    '.I COMMAND',
    '[\\fIOPTIONS\\fR]',
    '.SH DESCRIPTION',
    ...introduction,
    '.SH COMMANDS',
    ...nodes.flatMap((node) => commandLines(node, isCommon)),
    '.SH COMMON OPTIONS',
    'Each belongs to the commands whose section says so.',
    ...common.flatMap(optionLines),
    ...closing,
  ].join('\n')}\n`;
}

const introduction = [
  'Nameglass watches the names of the Internet, keeps what it sees, finds lookalikes of the names you protect, and answers over HTTP.',
  '.B nameglass serve',
  'is the server. Commands of accounts, imports and checks work on its data directory, with or without a running server.',
  'The others ask a server, which may be elsewhere:',
  '.B nameglass login',
  'stores its address and a key.',
  '.PP',
  'What asks a server prints a table on a terminal and JSON, one object per line, in a pipe. Data goes to standard output, everything',
  'else to standard error. Names may be given as arguments or on standard input, as URLs, or defanged.',
];

const closing = [
  '.SH EXIT STATUS',
  ...[
    '0',
    'done',
    '1',
    'any other failure',
    '2',
    'bad usage',
    '3',
    'no key, a wrong one, or one that may not do it',
  ]
    .concat(['4', 'not found', '5', 'a limit is used up'])
    .flatMap((text, index) => (index % 2 === 0 ? ['.TP', `.B ${text}`] : [text])),
  '.SH ENVIRONMENT',
  ...[
    ['NAMEGLASS_CONFIG', 'file of settings for commands without --config'],
    ['NAMEGLASS_SERVER', 'address of the server that remote commands ask'],
    ['NAMEGLASS_PROFILE', 'profile that they use'],
    ['NAMEGLASS_API_KEY, NAMEGLASS_USERNAME', 'key and user, in place of those of a profile'],
    ['NAMEGLASS_*', 'any setting of the server, such as NAMEGLASS_HTTP_PORT'],
    ['NO_COLOR', 'no colours, if it is set'],
  ].flatMap(([name = '', text = '']) => ['.TP', `.B ${plain(name)}`, plain(text)]),
  '.SH FILES',
  '.TP',
  '.I ~/.config/nameglass/profiles.yaml',
  'profiles with their keys',
];

function commonOptions(nodes: readonly CommandNode[]): readonly OptionNode[] {
  const groups = Map.groupBy(
    nodes.flatMap(({ options }) => options),
    keyOf,
  );
  return [...groups.values()].flatMap((found) => (found.length >= commonFrom && found[0] ? [found[0]] : []));
}

function keyOf({ flags, description }: OptionNode): string {
  return `${flags}\n${description}`;
}

function commandLines(node: CommandNode, isCommon: ReadonlySet<string>): readonly string[] {
  const own = node.options.filter((option) => !isCommon.has(keyOf(option)));
  const shared = node.options.filter((option) => isCommon.has(keyOf(option)));
  const usage = ['nameglass', node.path, ...node.arguments.map(({ text }) => text)].join(' ');
  return [
    `.SS ${quoted(usage)}`,
    plain(sentence(node.description)),
    ...node.arguments
      .filter(({ description }) => description !== '')
      .flatMap(({ text, description }) => ['.TP', `.I ${plain(text)}`, plain(sentence(description))]),
    ...own.flatMap(optionLines),
    ...(shared.length === 0
      ? []
      : [
          '.PP',
          `Common options: ${shared.map(({ spellings }) => bold(spellings.at(-1) ?? '')).join(', ')}.`,
        ]),
  ];
}

function optionLines({ flags, description, defaultText, values }: OptionNode): readonly string[] {
  const choices = Array.isArray(values) ? ` One of ${values.join(', ')}.` : '';
  const usual = defaultText === undefined ? '' : ` Default: ${defaultText}.`;
  return ['.TP', bold(flags), plain(sentence(description) + choices + usual)];
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

function bold(text: string): string {
  return `\\fB${plain(text)}\\fR`;
}

function quoted(text: string): string {
  return `"${plain(text).replaceAll('"', '\\(dq')}"`;
}

/** Backslashes, hyphens and leading dots or quotes mean something to roff. */
function plain(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('~', '\\(ti')
    .replaceAll('^', '\\(ha')
    .replaceAll('`', '\\(ga')
    .replaceAll("'", '\\(aq')
    .replaceAll('…', '\\&...');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
