/** Settings of zone transfers: blocklists as response policy zones. */
import { Type } from 'typebox';
import { addressRange, list, text, whole } from './kinds.ts';

const keyName = '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*\\.?$';
const base64 = '^[A-Za-z0-9+/]{22,}={0,2}$';

const Key = Type.Object(
  {
    algorithm: Type.Union([Type.Literal('hmac-sha256'), Type.Literal('hmac-sha512')]),
    secret: Type.String({ pattern: base64 }),
    /** Names of accounts whose zones the key may read; all of them by default. */
    accounts: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false },
);

const Notified = Type.Object(
  {
    address: Type.String({ minLength: 1 }),
    key: Type.Optional(Type.String({ pattern: keyName })),
  },
  { additionalProperties: false },
);

export const Rpz = Type.Object({
  listen: text(
    '',
    'address and port to answer zone transfers on, over TCP and UDP, such as 127.0.0.1:5353; empty disables them',
  ),
  keys: Type.Record(Type.String({ pattern: keyName }), Key, {
    default: {},
    secret: true,
    additionalProperties: false,
    description:
      'TSIG keys by name: algorithm (hmac-sha256 or hmac-sha512), secret (base64, at least 16 bytes), and optionally accounts, the names of those whose zones it may read',
  }),
  allow: list(
    addressRange,
    [],
    'addresses or prefixes of secondaries that may transfer all zones without a TSIG key',
  ),
  notify: list(
    Notified,
    [],
    'secondaries to notify of changes: address, such as 192.0.2.53 or 127.0.0.1:5300, and optionally key, the TSIG key that signs',
  ),
  connectionsMax: whole(100, 'maximum number of open connections for zone transfers'),
  idleSeconds: whole(10, 'seconds without progress after which a connection for zone transfers is closed'),
});
