/** A completion script for zsh, with descriptions. */
import { type CommandNode, everyNode, type Values } from './command-tree.ts';

export function zshCompletion(program: CommandNode): string {
  const nodes = [...everyNode(program)];
  const paths = nodes.flatMap(({ commands }) => commands.map((child) => quoted(slashed(child))));
  return `#compdef nameglass
# zsh completion for nameglass; load it with: source <(nameglass completion zsh)
_nameglass() {
  local cur prev at
  local -i i
  local -a entries
  cur="\${words[CURRENT]}"
  prev="\${words[CURRENT-1]}"
  at=""
  for ((i = 2; i < CURRENT; i++)); do
    case "$at/\${words[i]}" in
      ${paths.join('|')})
        at="$at/\${words[i]}" ;;
    esac
  done
  case "$at:$prev" in
${nodes.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${nodes.map(nodeCase).join('\n')}
  esac
}
if [[ "$funcstack[1]" == _nameglass ]]; then
  _nameglass "$@"
else
  compdef _nameglass nameglass
fi
`;
}

function valueCases(node: CommandNode): readonly string[] {
  return node.options
    .filter((option) => option.values !== undefined)
    .map((option) => {
      const patterns = option.spellings.map((spelling) => quoted(`${slashed(node)}:${spelling}`));
      return `    ${patterns.join('|')}) ${reply(option.values ?? 'any')}; return ;;`;
    });
}

function nodeCase(node: CommandNode): string {
  const options = node.options.flatMap(({ spellings, description }) =>
    spellings.map((spelling) => entry(spelling, description)),
  );
  const commands = node.commands.map(({ name, description }) => entry(name, description));
  const others =
    commands.length > 0
      ? `entries=(${commands.join(' ')}); _describe command entries`
      : reply(node.arguments[0]?.values ?? 'any');
  return `    ${quoted(slashed(node))})
      if [[ "$cur" == -* ]]; then
        entries=(${options.join(' ')}); _describe -o option entries
      else
        ${others}
      fi ;;`;
}

function entry(word: string, description: string): string {
  return quoted(`${word.replaceAll(':', '\\:')}:${description}`);
}

function reply(values: Values): string {
  if (values === 'any') return ':';
  return values === 'file' ? '_files' : `compadd -- ${values.map(quoted).join(' ')}`;
}

function slashed({ path }: CommandNode): string {
  return path === '' ? '' : `/${path.replaceAll(' ', '/')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
