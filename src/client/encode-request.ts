/** The address, query and body of a request as they are sent. */
import { NameglassError } from './nameglass-error.ts';

type Value = string | number | boolean;

/** A list is sent as a repeated parameter; undefined is not sent. */
export type Query = Readonly<Record<string, Value | readonly Value[] | undefined>>;

export type Body = object | string | Uint8Array;

export function serverUrl(server: string | URL): URL {
  const url = URL.canParse(String(server)) ? new URL(server) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new NameglassError(`server: ${String(server)} is not an address such as https://names.example`, {
      code: 'invalid',
    });
  url.search = '';
  url.hash = '';
  return url;
}

/** With %20 for a space: to passive DNS a plus sign is a plus sign. */
export function queryText(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly Value[]) : [value as Value | undefined])
      .filter((each) => each !== undefined)
      .map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(each)}`),
  );
  return pairs.join('&');
}

export function queryOf(parameters: URLSearchParams): Query {
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name)]));
}

export function contentType(body: Body | undefined): Record<string, string> {
  return typeof body === 'object' && !(body instanceof Uint8Array)
    ? { 'content-type': 'application/json' }
    : {};
}

export function bodyOnWire(body: Body): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);
}
