/**
 * The list of certificate logs that a browser vendor publishes (https://www.gstatic.com/ct/log_list/v3/log_list_schema.json), and which
 * of its logs are worth following: those that still accept certificates.
 */
import { readFile } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { Dialer } from '../../../outgoing/guarded-dialer.ts';
import { isUrl } from '../../input/located-file.ts';

export const publicLogListUrl = 'https://www.gstatic.com/ct/log_list/v3/log_list.json';

type LogSettings = Settings['sources']['certificateLogs'][number];

export interface ListedLog {
  readonly operator: string;
  readonly log: LogSettings;
}

const Log = Type.Object({
  description: Type.Optional(Type.String()),
  key: Type.String({ minLength: 1 }),
  url: Type.Optional(Type.String()),
  monitoring_url: Type.Optional(Type.String()),
  state: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  temporal_interval: Type.Optional(Type.Object({ end_exclusive: Type.String() })),
});
const LogList = Type.Object({
  operators: Type.Array(
    Type.Object({
      name: Type.String({ minLength: 1 }),
      logs: Type.Optional(Type.Array(Type.Unknown())),
      tiled_logs: Type.Optional(Type.Array(Type.Unknown())),
    }),
  ),
});

/** States of logs that accept certificates; the others are closed, on trial or refused. */
const accepting = ['usable', 'qualified'];
const bytesMax = 8 << 20;

/** Throws a Problem where the list cannot be read. */
export async function readLogList(
  location: string,
  { dialer, timeoutMs }: { readonly dialer: Pick<Dialer, 'send'>; readonly timeoutMs: number },
): Promise<string> {
  if (!isUrl(location))
    return readFile(location, 'utf8').catch((cause: unknown) => {
      throw new Problem('unavailable', `${location} cannot be read`, { cause });
    });
  const { status, body, isTruncated } = await dialer.send({
    method: 'GET',
    url: location,
    headers: { 'user-agent': 'nameglass' },
    timeoutMs,
    responseBytesMax: bytesMax,
    ports: 'configured',
    redirectsMax: 3,
  });
  if (status !== 200) throw new Problem('unavailable', `the server responded with status ${status}`);
  if (isTruncated) throw new Problem('unavailable', `it is larger than ${bytesMax} bytes`);
  return body.toString('utf8');
}

/** In the order of the list, operator by operator. Throws a Problem for anything but a list of logs. */
export function findAcceptingLogs(text: string, nowMs: number): readonly ListedLog[] {
  const list = parsed(text);
  const names = new Set<string>();
  return list.operators.flatMap(({ name: operator, logs = [], tiled_logs: tiled = [] }) =>
    [
      ...logs.flatMap((entry) => acceptingLog(entry, 'rfc6962', nowMs) ?? []),
      ...tiled.flatMap((entry) => acceptingLog(entry, 'static', nowMs) ?? []),
    ].map((log) => ({ operator, log: { ...log, name: unique(log.name, names) } })),
  );
}

function parsed(text: string): Static<typeof LogList> {
  try {
    const value: unknown = JSON.parse(text);
    if (Value.Check(LogList, value)) return value;
  } catch {
    // Refused below.
  }
  throw new Problem('unavailable', 'it is not a list of certificate logs (version 3)');
}

function acceptingLog(entry: unknown, kind: LogSettings['kind'], nowMs: number): LogSettings | undefined {
  if (!Value.Check(Log, entry)) return undefined;
  const { description = '', key, url, monitoring_url: monitored, state, temporal_interval: period } = entry;
  const address = kind === 'static' ? monitored : url;
  if (address === undefined || !isUrl(address) || !accepting.some((word) => state?.[word] !== undefined))
    return undefined;
  if (period && !(Date.parse(period.end_exclusive) > nowMs)) return undefined;
  return { name: nameOf(description, address), url: address, kind, publicKey: key };
}

/** `Google 'Argon2026h2' log` is argon2026h2, and `TrustAsia Log2026a` is trustasia-log2026a. */
function nameOf(description: string, url: string): string {
  const { hostname, pathname } = new URL(url);
  const described = description.replace(/\s+log\s*$/i, '');
  const quoted = /'([^']+)'$/.exec(described)?.[1];
  const text = quoted ?? (described || `${hostname}${pathname}`);
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, 60);
  return name === '' ? 'log' : name;
}

function unique(name: string, names: Set<string>): string {
  let chosen = name;
  for (let number = 2; names.has(chosen); number += 1) chosen = `${name.slice(0, 56)}-${number}`;
  names.add(chosen);
  return chosen;
}
