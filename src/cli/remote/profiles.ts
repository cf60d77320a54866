/**
 * Profiles: servers with the keys to use there, in `~/.config/nameglass/profiles.yaml`, readable by its owner alone. `current` is the
 * profile that counts when none is named: the one of the last login.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { RemoteFailure } from './remote-failure.ts';

export interface Profile {
  readonly server: string;
  readonly username?: string;
  readonly key: string;
  /** Requests are signed, where the API allows it: the key is not sent. */
  readonly sign?: boolean;
}

export interface Profiles {
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function profilesPath(environment: Environment): string {
  const configured = environment['XDG_CONFIG_HOME'];
  // A relative path is to be ignored, as the specification of XDG says.
  const base = configured?.startsWith('/') ? configured : join(environment['HOME'] || homedir(), '.config');
  return join(base, 'nameglass', 'profiles.yaml');
}

export function readProfiles(environment: Environment): Profiles {
  const path = profilesPath(environment);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} };
    throw error;
  }
  const document = parsed(text, path);
  if (!isProfiles(document))
    throw new RemoteFailure(
      `${path} is not a file of profiles; nameglass login writes a new one if you move it away`,
    );
  return document;
}

/** Replaces the file in one step, so that nobody reads half of it. */
export function writeProfiles(profiles: Profiles, environment: Environment): void {
  const path = profilesPath(environment);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${process.pid}`;
  writeFileSync(part, stringify(profiles), { mode: 0o600 });
  chmodSync(part, 0o600);
  renameSync(part, path);
}

/** Whether others on this machine may read the keys. */
export function isReadableByOthers(environment: Environment): boolean {
  const mode = statSync(profilesPath(environment), { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o077) !== 0;
}

function parsed(text: string, path: string): unknown {
  try {
    return parse(text, { logLevel: 'error' }) as unknown;
  } catch {
    // The message of the parser would quote the file, and with it a key.
    throw new RemoteFailure(`${path} is not valid YAML`);
  }
}

function isProfiles(document: unknown): document is Profiles {
  if (typeof document !== 'object' || document === null) return false;
  const { current, profiles } = document as Partial<Profiles>;
  if (current !== undefined && typeof current !== 'string') return false;
  if (typeof profiles !== 'object' || profiles === null) return false;
  return Object.values(profiles).every(
    (profile) =>
      typeof profile === 'object' &&
      profile !== null &&
      typeof profile.server === 'string' &&
      typeof profile.key === 'string' &&
      (profile.username === undefined || typeof profile.username === 'string'),
  );
}
