/** The commands as plain data, read from their definitions: what completion scripts and the manual are generated from. */
import type { Argument, Command, Option } from 'commander';

export interface CommandNode {
  readonly name: string;
  /** `account create`; empty for the program itself. */
  readonly path: string;
  readonly description: string;
  readonly arguments: readonly ArgumentNode[];
  readonly options: readonly OptionNode[];
  readonly commands: readonly CommandNode[];
}

export interface ArgumentNode {
  /** As in the usage: `<file>`, `[names...]`. */
  readonly text: string;
  readonly description: string;
  readonly values: Values;
}

export interface OptionNode {
  readonly flags: string;
  /** Every spelling: `-o`, `--output`. */
  readonly spellings: readonly string[];
  readonly description: string;
  /** Undefined for a flag without a value. */
  readonly values: Values | undefined;
  readonly defaultText: string | undefined;
}

/** What may be completed: these words, a file, or nothing that is known. */
export type Values = readonly string[] | 'file' | 'any';

export function treeOf(command: Command, path = ''): CommandNode {
  const help = command.createHelp();
  return {
    name: command.name(),
    path,
    description: command.description(),
    arguments: command.registeredArguments.map(argumentNode),
    options: help.visibleOptions(command).map(optionNode),
    commands: help
      .visibleCommands(command)
      .filter((child) => child.name() !== 'help')
      .map((child) => treeOf(child, path === '' ? child.name() : `${path} ${child.name()}`)),
  };
}

/** The command itself and all below it. */
export function* everyNode(node: CommandNode): Generator<CommandNode> {
  yield node;
  for (const child of node.commands) yield* everyNode(child);
}

function argumentNode(argument: Argument): ArgumentNode {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return {
    text: argument.required ? `<${name}>` : `[${name}]`,
    description: argument.description,
    values: valuesOf(argument.argChoices, argument.name()),
  };
}

function optionNode(option: Option): OptionNode {
  const valueName = /[<[]([^\]>.]+)/.exec(option.flags)?.[1];
  const isShown = ['string', 'number'].includes(typeof option.defaultValue);
  return {
    flags: option.flags,
    spellings: [option.short, option.long].filter((each) => each !== undefined),
    description: option.description,
    values: valueName === undefined ? undefined : valuesOf(option.argChoices, valueName),
    defaultText: isShown ? String(option.defaultValue) : undefined,
  };
}

function valuesOf(choices: readonly string[] | undefined, name: string): Values {
  if (choices) return choices;
  return /^(?:file|dir|path)$/.test(name) ? 'file' : 'any';
}
