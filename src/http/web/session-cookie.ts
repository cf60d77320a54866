/** Cookies of the web UI. Behind https they have the prefix `__Host-`, which no other host name and no plain connection can set. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../model/settings/settings.ts';

export interface SessionCookie {
  readonly name: string;
  /** Undefined without the cookie, and with several: one of them may come from somebody else. */
  find(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
}

/** The longest that browsers keep a cookie; the server decides when a session ends. */
const sessionMaxAgeSeconds = 34_560_000;

export const sessionCookie = (settings: Pick<Settings, 'http'>): SessionCookie =>
  browserCookie(settings, 'ng', sessionMaxAgeSeconds);

export function browserCookie(
  { http }: Pick<Settings, 'http'>,
  baseName: string,
  maxAgeSeconds: number,
): SessionCookie {
  const isSecure = http.publicUrl.startsWith('https:');
  const name = isSecure ? `__Host-${baseName}` : baseName;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    name,
    find: ({ headers }) => {
      const values = (headers.cookie ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${name}=`));
      return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined;
    },
    set: (reply, token) =>
      void reply.header('set-cookie', `${name}=${token}; ${attributes}; Max-Age=${maxAgeSeconds}`),
    clear: (reply) => void reply.header('set-cookie', `${name}=; ${attributes}; Max-Age=0`),
  };
}
