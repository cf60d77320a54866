/** The address of a client as Fastify determines it, for requests that it does not see. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Settings } from '../../model/settings/settings.ts';
import type { ReadClientAddress } from './fast-route.ts';

/**
 * Behind a trusted proxy the address is in headers, and only the prototype of Fastify's requests knows how to read them: undefined before the
 * first of those.
 */
export function clientAddressReader(
  app: FastifyInstance,
  { http }: Pick<Settings, 'http'>,
): () => ReadClientAddress | undefined {
  const ofSocket: ReadClientAddress = ({ socket }) => socket.remoteAddress ?? '';
  if (http.trustProxy.length === 0) return () => ofSocket;
  let read: ReadClientAddress | undefined;
  app.addHook('onRequest', (request, _reply, done) => {
    read ??= readerOf(Object.getPrototypeOf(request));
    done();
  });
  return () => read;
}

function readerOf(prototype: FastifyRequest): ReadClientAddress {
  return (raw) => Reflect.get(prototype, 'ip', { raw });
}
