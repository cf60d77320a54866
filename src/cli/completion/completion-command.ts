/** `nameglass completion`: a script that completes commands and options in a shell. */
import { Argument, type Command } from 'commander';
import type { CliNeeds } from '../needs.ts';
import { bashCompletion } from './bash-completion.ts';
import { treeOf } from './command-tree.ts';
import { fishCompletion } from './fish-completion.ts';
import { zshCompletion } from './zsh-completion.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

const help = `
For this shell:
  source <(nameglass completion bash)
  source <(nameglass completion zsh)
  nameglass completion fish | source

For every shell, put the output into a file that your shell reads:
  bash  ~/.local/share/bash-completion/completions/nameglass
  zsh   _nameglass in a directory of $fpath
  fish  ~/.config/fish/completions/nameglass.fish
`;

export function addCompletion(program: Command, needs: CliNeeds): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'for which shell').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action(async (shell: keyof typeof scripts) => {
      const { buildProgram } = await import('../run.ts');
      process.stdout.write(scripts[shell](treeOf(await buildProgram(needs))));
    });
}
