/** What all remote commands have in common: their options, the connection, the output, and how a failure ends them. */
import type { Command } from 'commander';
import type { NameglassClient } from '../../client/nameglass-client.ts';
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { readWhole } from '../argument-readers.ts';
import type { Column } from '../listing/column.ts';
import { Listing } from '../listing/listing.ts';
import { type ListingOptions, withListing } from '../listing/listing-options.ts';
import type { CliNeeds } from '../needs.ts';
import { type SettingsOptions, withSettings } from '../settings-options.ts';
import { type ConnectionOptions, connect, findTarget, type Target } from './connection.ts';
import { findLocalServer } from './local-server.ts';
import { isReadableByOthers, profilesPath } from './profiles.ts';
import { reportFailure } from './remote-failure.ts';

export type RemoteOptions = ConnectionOptions & ListingOptions & SettingsOptions;

export type RemoteNeeds = Pick<CliNeeds, 'version' | 'clock' | 'environment' | 'readConfig'>;

export interface Remote {
  readonly client: NameglassClient;
  readonly target: Target;
  readonly options: RemoteOptions;
  readonly needs: RemoteNeeds;
  readonly listing: <Row extends object>(columns: readonly Column<Row>[]) => Listing<Row>;
  /** On standard error, unless `--quiet`. */
  readonly note: (text: string) => void;
  /** The same where somebody reads along: how much there was. */
  readonly total: (text: string) => void;
}

/** The last options of a command, after its own. */
export function withRemote(command: Command): Command {
  return withServer(withListing(command));
}

/** The same for a command that prints no listing. */
export function withServer(command: Command): Command {
  command
    .optionsGroup('Server:')
    .option('--server <url>', 'address of the server (NAMEGLASS_SERVER)')
    .option('--profile <name>', 'profile of nameglass login (NAMEGLASS_PROFILE)')
    .option(
      '--wait <seconds>',
      'where a limit is used up, wait up to so long (default: fail at once)',
      readWhole,
    );
  return withSettings(command.optionsGroup('Server on this machine:'));
}

/** The action of a remote command: `work` gets its arguments after the connection. */
export function remoteAction(
  needs: CliNeeds,
  work: (remote: Remote, ...args: never[]) => Promise<void>,
): (...args: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command;
    const options = command.opts<RemoteOptions>();
    await guarded(options, needs, async (target) => {
      if (target.profileName !== undefined && isReadableByOthers(needs.environment))
        note(
          `Warning: others can read the keys in ${profilesPath(needs.environment)}; chmod 600 ends that.`,
          options,
        );
      const client = connect(target, options, connectionNeeds(options, needs));
      const remote: Remote = {
        client,
        target,
        options,
        needs,
        listing: (columns) => new Listing(columns, options, needs),
        note: (text) => note(text, options),
        total: (text) => {
          if (process.stderr.isTTY) note(text, options);
        },
      };
      await work(remote, ...(given.slice(0, -1) as never[]));
    });
  };
}

/** Runs what needs a server; a failure becomes one sentence and an exit code. */
export async function guarded(
  options: RemoteOptions,
  needs: CliNeeds,
  work: (target: Target) => Promise<void>,
): Promise<void> {
  let server = options.server ?? 'the server';
  try {
    const target = findTarget(options, connectionNeeds(options, needs));
    server = target.server;
    await work(target);
  } catch (error) {
    reportFailure(error, server, needs.clock.now());
  }
}

export function connectionNeeds(options: RemoteOptions, needs: RemoteNeeds) {
  return {
    version: needs.version,
    environment: needs.environment,
    findLocalServer: () => findLocalServer(options, needs),
  };
}

export function note(text: string, { quiet = false }: Pick<ListingOptions, 'quiet'>): void {
  if (!quiet) process.stderr.write(`${escapeForTerminal(text)}\n`);
}
