/** A completion script for fish, with descriptions. */
import { type CommandNode, everyNode, type OptionNode, type Values } from './command-tree.ts';

export function fishCompletion(program: CommandNode): string {
  const nodes = [...everyNode(program)];
  const paths = nodes.flatMap(({ commands }) => commands.map((child) => quoted(slashed(child))));
  return `# fish completion for nameglass; load it with: nameglass completion fish | source
function __nameglass_at
  set -l path ''
  set -l words (commandline -opc)
  for word in $words[2..-1]
    switch "$path/$word"
      case ${paths.join(' ')}
        set path "$path/$word"
    end
  end
  test "$path" = "$argv[1]"
end
complete -c nameglass -f
${nodes.flatMap(linesOf).join('\n')}
`;
}

function linesOf(node: CommandNode): readonly string[] {
  const condition = `-n ${quoted(`__nameglass_at "${slashed(node)}"`)}`;
  const line = (rest: string) => `complete -c nameglass ${condition} ${rest}`;
  const [argument] = node.arguments;
  return [
    ...node.commands.map(({ name, description }) => line(`-a ${quoted(name)} -d ${quoted(description)}`)),
    ...(node.commands.length === 0 && argument ? argumentLine(argument.values).map(line) : []),
    ...node.options.map((option) =>
      line(`${names(option)} ${valueOf(option)}-d ${quoted(option.description)}`),
    ),
  ];
}

function argumentLine(values: Values): readonly string[] {
  if (values === 'any') return [];
  return [values === 'file' ? '-F' : `-a ${quoted(values.join(' '))}`];
}

function names({ spellings }: OptionNode): string {
  return spellings
    .map((spelling) => (spelling.startsWith('--') ? `-l ${spelling.slice(2)}` : `-s ${spelling.slice(1)}`))
    .join(' ');
}

function valueOf({ values }: OptionNode): string {
  if (values === undefined) return '';
  if (values === 'any') return '-x ';
  return values === 'file' ? '-r -F ' : `-x -a ${quoted(values.join(' '))} `;
}

function slashed({ path }: CommandNode): string {
  return path === '' ? '' : `/${path.replaceAll(' ', '/')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
