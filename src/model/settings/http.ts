/** Where the server listens, who may reach it, and what one client may take of it. */
import { Type } from 'typebox';
import { addressRange, list, pathPrefixOrEmpty, text, webAddressOrEmpty, whole } from './kinds.ts';

export const Http = Type.Object({
  host: text(
    '127.0.0.1',
    'IP address to listen on; any address other than loopback exposes the server to the network',
  ),
  port: whole(8080, 'port to listen on; 0 chooses a free port', 0, 65_535),
  publicUrl: Type.String({
    default: '',
    pattern: webAddressOrEmpty,
    description:
      'scheme and host under which clients reach the server; empty derives them from http.host and http.port',
  }),
  mountPrefix: Type.String({
    default: '',
    pattern: pathPrefixOrEmpty,
    description:
      'path prefix under which a reverse proxy forwards requests, such as "/dt"; requests arrive with the prefix',
  }),
  trustProxy: list(
    addressRange,
    [],
    'addresses or prefixes of reverse proxies whose X-Forwarded-For header is trusted',
  ),
  operatorAddresses: list(
    addressRange,
    ['127.0.0.0/8', '::1/128'],
    'client addresses or prefixes that may read /metrics; all others get 404',
  ),
  operatorHosts: list(
    Type.String({ minLength: 1 }),
    [],
    'host names under which /metrics is served, besides addresses, names without a dot and the host of http.publicUrl',
  ),
  headerBytesMax: whole(65_536, 'maximum size of the request line and headers together, in bytes', 1024),
  bodyBytesMax: whole(1_048_576, 'maximum size of a request body, in bytes', 1024),
  headersTimeoutSeconds: whole(10, 'seconds within which a client must send its request headers'),
  requestTimeoutSeconds: whole(30, 'seconds within which a client must send its whole request'),
  keepAliveTimeoutSeconds: whole(72, 'seconds after which an idle connection is closed'),
  connectionsMax: whole(10_000, 'maximum number of open connections'),
  connectionsPerAddressMax: whole(1000, 'maximum number of open connections from one client address'),
  drainSeconds: whole(10, 'seconds that open requests have to finish after a stop signal'),
});
