import type { Settings } from './settings.ts';

/** Where clients reach the server: scheme, host and port. Never made from a request's Host header. */
export function publicUrl({ http }: Pick<Settings, 'http'>, port: number = http.port): string {
  if (http.publicUrl) return http.publicUrl;
  const wildcard = ['0.0.0.0', '::'].includes(http.host);
  const host = wildcard ? 'localhost' : http.host.includes(':') ? `[${http.host}]` : http.host;
  return `http://${host}:${port}`;
}

/** Whether only programs on the same machine reach the server. */
export function isLocalOnly({ http }: Pick<Settings, 'http'>): boolean {
  return http.publicUrl === '' && (http.host.startsWith('127.') || ['::1', 'localhost'].includes(http.host));
}
