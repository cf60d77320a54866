/** A completion script for bash: a table of words, so that a TAB starts no program. */
import { type CommandNode, everyNode, type OptionNode, type Values } from './command-tree.ts';

export function bashCompletion(program: CommandNode): string {
  const nodes = [...everyNode(program)];
  const paths = nodes.flatMap(({ commands }) =>
    commands.map(({ path }) => quoted(`/${path.replaceAll(' ', '/')}`)),
  );
  return `# bash completion for nameglass; load it with: source <(nameglass completion bash)
_nameglass() {
  local cur prev path i
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  path=""
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path/\${COMP_WORDS[i]}" in
      ${paths.join('|')})
        path="$path/\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path:$prev" in
${nodes.flatMap(valueCases).join('\n')}
  esac
  case "$path" in
${nodes.map(nodeCase).join('\n')}
  esac
}
complete -o bashdefault -F _nameglass nameglass
`;
}

function valueCases(node: CommandNode): readonly string[] {
  return node.options
    .filter((option) => option.values !== undefined)
    .map((option) => {
      const patterns = option.spellings.map((spelling) => quoted(`${slashed(node)}:${spelling}`));
      return `    ${patterns.join('|')}) ${reply(option.values ?? 'any')} return ;;`;
    });
}

function nodeCase(node: CommandNode): string {
  const flags = node.options.flatMap(({ spellings }: OptionNode) => spellings);
  const words = node.commands.map(({ name }) => name);
  const values: Values = words.length > 0 ? words : (node.arguments[0]?.values ?? 'any');
  return `    ${quoted(slashed(node))})
      if [[ "$cur" == -* ]]; then COMPREPLY=($(compgen -W ${quoted(flags.join(' '))} -- "$cur")); return; fi
      ${reply(values)} ;;`;
}

function reply(values: Values): string {
  if (values === 'any') return 'COMPREPLY=();';
  if (values === 'file') return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur"));';
  return `COMPREPLY=($(compgen -W ${quoted(values.join(' '))} -- "$cur"));`;
}

function slashed({ path }: CommandNode): string {
  return path === '' ? '' : `/${path.replaceAll(' ', '/')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
