/** `nameglass detect`: the lookalikes that monitors have found, and decisions about them. */
import type { Command } from 'commander';
import type { CliNeeds } from '../../needs.ts';
import { addDecisions } from './decide.ts';
import { addList, addShow } from './list.ts';
import { addOpsec } from './opsec.ts';
import { addUndo } from './undo.ts';

const help = `
Examples:
  nameglass detect list --risk '>90' --since 7d
  nameglass detect show acme-login.example
  nameglass detect block --risk '>90' --dry-run
  nameglass detect list --risk 100 --fields domain | jq -r .domain | nameglass detect block
  nameglass detect undo
`;

export function addDetect(program: Command, needs: CliNeeds): void {
  const detect = program.command('detect').addHelpText('after', help);
  addList(detect, needs);
  addShow(detect, needs);
  addDecisions(detect, needs);
  addUndo(detect, needs);
  addOpsec(detect, needs);
}
