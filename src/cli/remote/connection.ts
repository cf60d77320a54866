/** Which server a command talks to, and with which key: flags, then variables, then a profile, then the server on this machine. */
import { NameglassClient } from '../../client/nameglass-client.ts';
import { type Profile, type Profiles, readProfiles } from './profiles.ts';
import { exitCodes, RemoteFailure, usageFailure } from './remote-failure.ts';

export interface ConnectionOptions {
  readonly server?: string;
  readonly profile?: string;
  /** Seconds that a request may wait where a limit is used up. */
  readonly wait?: number;
}

export interface ConnectionNeeds {
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The address of the server that runs on the data directory of this machine, if one does. */
  readonly findLocalServer: () => string | undefined;
}

export interface Target {
  readonly server: string;
  readonly profileName?: string;
  readonly username?: string;
  readonly key?: string;
  readonly sign?: boolean;
}

export function findTarget(options: ConnectionOptions, needs: ConnectionNeeds): Target {
  const { environment } = needs;
  const stored = readProfiles(environment);
  const named = options.profile ?? (environment['NAMEGLASS_PROFILE'] || undefined);
  const requested = options.server ?? (environment['NAMEGLASS_SERVER'] || undefined);
  const [profileName, profile] = chosenProfile(stored, named, requested && serverAddress(requested));
  const server =
    requested === undefined ? (profile?.server ?? needs.findLocalServer()) : serverAddress(requested);
  if (server === undefined)
    throw usageFailure('no server is known: nameglass login URL, --server URL or NAMEGLASS_SERVER names one');
  const key = environment['NAMEGLASS_API_KEY'] || undefined;
  const username = environment['NAMEGLASS_USERNAME'] || undefined;
  if (key !== undefined) return { server, key, ...(username === undefined ? {} : { username }) };
  const [localName, local] = profile?.server === server ? [profileName, profile] : profileOf(stored, server);
  return {
    server,
    ...(local && localName ? { profileName: localName, ...local, server } : {}),
    ...(username === undefined ? {} : { username }),
  };
}

export function connect(
  target: Target,
  options: ConnectionOptions,
  { version }: ConnectionNeeds,
): NameglassClient {
  const { server, username, key, sign } = target;
  if (key === undefined)
    throw new RemoteFailure(
      `there is no key for ${server}: nameglass login ${server} stores one, or set NAMEGLASS_API_KEY`,
      exitCodes.authentication,
    );
  return new NameglassClient({
    server,
    username,
    key,
    sign,
    userAgent: `nameglass/${version}`,
    waitSeconds: options.wait ?? 0,
  });
}

/** A profile that was named must exist; the current one counts only for its own server, so that no key goes elsewhere. */
function chosenProfile(
  { current, profiles }: Profiles,
  named: string | undefined,
  server: string | undefined,
): readonly [string?, Profile?] {
  const name = named ?? current;
  const profile = name !== undefined && Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (named !== undefined && !profile) {
    const known = Object.keys(profiles).join(', ') || 'none';
    throw usageFailure(`there is no profile ${named}; there are: ${known}`);
  }
  if (name === undefined || !profile) return [];
  return server === undefined || profile.server === server ? [name, profile] : [];
}

function profileOf({ profiles }: Profiles, server: string): readonly [string?, Profile?] {
  return Object.entries(profiles).find(([, profile]) => profile.server === server) ?? [];
}

/** The address in one spelling. Without a scheme it is https, and http on this machine. */
export function serverAddress(text: string): string {
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(text);
  const full = /^[a-z]+:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw usageFailure(`${text} is not the address of a server, such as https://names.example`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Whether a key would travel readable for others. */
export function isUnencrypted(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === 'http:' && !/^(?:localhost|127\..*|\[::1\])$/.test(hostname);
}
