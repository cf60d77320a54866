/** `nameglass account own` and `disown`: which account appends to a channel over HTTP. */
import type { Command } from 'commander';
import { isBuiltInChannel } from '../../model/built-in-channels.ts';
import { numberRanges } from '../../model/number-ranges.ts';
import { fieldProblem } from '../../model/problem.ts';
import { collect } from '../argument-readers.ts';
import type { CliNeeds } from '../needs.ts';
import { print } from '../output.ts';
import { withSettings } from '../settings-options.ts';
import { operator, withStores } from '../with-stores.ts';
import { readChannelNumber } from './user-options.ts';

const help = `
Examples:
  nameglass account own acme 42,43
  nameglass account disown acme 43

The users of the account with the permission ingest append to its channels with POST /v1/channels/42/lines/. Its own users read
them, and users of other accounts only if --channels of account create or account update names the channel.
`;

export function addOwn(account: Command, needs: CliNeeds): void {
  withSettings(account.command('own').description('give channels to an account, which alone appends to them'))
    .argument('<account>', 'name of the account')
    .argument('<channels...>', 'channel numbers such as 42,43', collect(readChannelNumber))
    .addHelpText('after', help)
    .action((name: string, channels: number[][], options) =>
      withStores(options, needs, async ({ accounts }, settings) => {
        const numbers = channels.flat();
        const builtIn = numbers.filter(isBuiltInChannel);
        if (builtIn.length > 0) {
          const rule = `${builtIn.join(', ')} is filled by this server and cannot belong to an account`;
          throw fieldProblem('invalid-parameters', 'channels', rule);
        }
        const { ownChannels = [] } = await accounts.ownChannels(name, numbers, operator(needs));
        print(`${name} owns the channels ${numberRanges(ownChannels)}.`);
        const undeclared = numbers.filter((number) => !Object.hasOwn(settings.batch.channels, number));
        if (undeclared.length > 0)
          print(
            `Not declared yet: ${undeclared.join(', ')}. Add them to batch.channels in the settings file.`,
          );
      }),
    );

  withSettings(account.command('disown').description('take channels from an account'))
    .argument('<account>', 'name of the account')
    .argument('<channels...>', 'channel numbers such as 42,43', collect(readChannelNumber))
    .action((name: string, channels: number[][], options) =>
      withStores(options, needs, async ({ accounts }) => {
        const { ownChannels = [] } = await accounts.disownChannels(name, channels.flat(), operator(needs));
        print(`${name} owns ${ownChannels.length === 0 ? 'no channels' : numberRanges(ownChannels)}.`);
      }),
    );
}
