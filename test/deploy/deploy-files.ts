/** The files of `deploy/` as the tests read them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const deployFolder = join(import.meta.dirname, '../../deploy');

export const readDeployed = (file: string): string => readFileSync(join(deployFolder, file), 'utf8');

export interface ComposeService {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: readonly string[];
  readonly command?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>;
  readonly expose?: readonly string[];
  readonly extra_hosts?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly networks: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>;
  readonly ports?: readonly string[];
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
}

export interface ComposeFile {
  readonly name: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, unknown>>;
}

export const testHost = 'names.example.org';

/** With its merge keys resolved, and the variable of `.env` replaced. */
export function composeFile(): ComposeFile {
  const text = readDeployed('compose.yaml').replaceAll(/\$\{NAMEGLASS_HOST:\?[^}]+\}/g, testHost);
  return parse(text, { merge: true }) as ComposeFile;
}

/** The environment variables that are settings of ours. */
export function settingsOf(environment: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment)
      .filter(([name]) => name.startsWith('NAMEGLASS_') && name !== 'NAMEGLASS_CONFIG')
      .map(([name, value]) => [name, String(value)]),
  );
}

/** Lines of `NAME=value`. */
export function environmentFile(file: string): Record<string, string> {
  return Object.fromEntries(
    readDeployed(file)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split(/=(.*)/s, 2) as [string, string]),
  );
}
