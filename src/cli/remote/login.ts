/** `nameglass login`, `logout`: profiles. The key is read from a prompt or standard input, so that no list of processes shows it. */
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import { NameglassClient } from '../../client/nameglass-client.ts';
import type { CliNeeds } from '../needs.ts';
import { print } from '../output.ts';
import { type SettingsOptions, withSettings } from '../settings-options.ts';
import { isUnencrypted, serverAddress } from './connection.ts';
import { findLocalServer } from './local-server.ts';
import { type Profile, profilesPath, readProfiles, writeProfiles } from './profiles.ts';
import { askLine, askSecret } from './prompt.ts';
import { exitCodes, RemoteFailure, reportFailure, usageFailure } from './remote-failure.ts';

interface LoginOptions extends SettingsOptions {
  readonly profile: string;
  readonly sign?: boolean;
}

const loginHelp = `
The key is asked for, or read from standard input: the key alone, or the username in one line and the key in the next.
It is checked with the server and stored in ~/.config/nameglass/profiles.yaml, which only you can read. The profile of the
last login is the one that other commands use unless --profile or NAMEGLASS_PROFILE names another.

Examples:
  nameglass login https://names.example
  nameglass login https://names.example --profile work < key.txt
`;

export function addLogin(program: Command, needs: CliNeeds): void {
  withSettings(program.command('login'))
    .argument('[url]', 'address of the server; by default the one that runs on this machine')
    .option('--profile <name>', 'name of the profile', readProfileName, 'default')
    .option('--sign', 'sign requests to the platform API instead of sending the key; needs the username')
    .addHelpText('after', loginHelp)
    .action(async (url: string | undefined, options: LoginOptions) => {
      let server = url ?? 'the server';
      try {
        const found = url === undefined ? findLocalServer(options, needs) : serverAddress(url);
        if (found === undefined)
          throw usageFailure(
            'no server runs on this machine; give the address of one, such as https://names.example',
          );
        server = found;
        await login(server, options, needs);
      } catch (error) {
        reportFailure(error, server, needs.clock.now());
      }
    });
}

async function login(
  server: string,
  options: LoginOptions,
  { environment, version }: CliNeeds,
): Promise<void> {
  const before = readProfiles(environment);
  if (isUnencrypted(server))
    process.stderr.write(
      `Warning: the key travels unencrypted to ${server}; use https:// outside of tests.\n`,
    );
  const { username, key } = await readCredentials(server, options);
  const client = new NameglassClient({
    server,
    username,
    key,
    sign: options.sign,
    userAgent: `nameglass/${version}`,
  });
  const { response } = await client.json<{ response?: { account?: { api_username?: string } } }>(
    '/v1/account/',
  );
  const known = response?.account?.api_username;
  if (known === undefined) throw new RemoteFailure(`${server} answered, but not as a Nameglass server does`);
  if (username !== undefined && username !== known)
    throw new RemoteFailure(`the key is the one of ${known}, not of ${username}`, exitCodes.authentication);
  const profile: Profile = { server, username: known, key, ...(options.sign ? { sign: true } : {}) };
  writeProfiles(
    { current: options.profile, profiles: { ...before.profiles, [options.profile]: profile } },
    environment,
  );
  print(`Signed in to ${server} as ${known}; profile ${options.profile} in ${profilesPath(environment)}.`);
}

async function readCredentials(
  server: string,
  { sign }: LoginOptions,
): Promise<{ username: string | undefined; key: string }> {
  if (process.stdin.isTTY) {
    const username = sign ? await askLine('Username: ') : undefined;
    const key = await askSecret(`API key for ${server}: `);
    if (key === '') throw usageFailure('no key was given');
    return { username, key };
  }
  const lines = (await text(process.stdin))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const key = lines.at(-1);
  if (key === undefined || lines.length > 2)
    throw usageFailure(
      'expected the key on standard input, or the username in one line and the key in the next',
    );
  const username = lines.length === 2 ? lines[0] : undefined;
  if (sign && username === undefined)
    throw usageFailure('--sign needs the username in one line of standard input and the key in the next');
  return { username, key };
}

export function addLogout(program: Command, needs: CliNeeds): void {
  withSettings(program.command('logout'))
    .option('--profile <name>', 'name of the profile (default: the current one)')
    .option('--all', 'remove all profiles')
    .action((options: { profile?: string; all?: boolean }) => {
      try {
        logout(options, needs);
      } catch (error) {
        reportFailure(error, 'the server', needs.clock.now());
      }
    });
}

function logout(
  { profile, all = false }: { profile?: string; all?: boolean },
  { environment }: CliNeeds,
): void {
  const { current, profiles } = readProfiles(environment);
  const name = profile ?? (environment['NAMEGLASS_PROFILE'] || current);
  if (!all && (name === undefined || !Object.hasOwn(profiles, name)))
    throw new RemoteFailure(
      name === undefined ? 'there is no profile' : `there is no profile ${name}`,
      exitCodes.notFound,
    );
  const left = all ? {} : Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name));
  const next = current !== undefined && Object.hasOwn(left, current) ? current : Object.keys(left)[0];
  writeProfiles({ ...(next === undefined ? {} : { current: next }), profiles: left }, environment);
  print(all ? 'Removed all profiles.' : `Removed the profile ${name}.`);
  if (next !== undefined) print(`The current profile is ${next}, for ${left[next]?.server}.`);
}

function readProfileName(name: string): string {
  if (/^[\w][\w.@-]{0,63}$/.test(name)) return name;
  throw new InvalidArgumentError('Expected a name of letters, digits and . _ @ -');
}
