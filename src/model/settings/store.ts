/** Settings of the stores: files of this machine, or servers that several nodes share (docs/scaling.md). */
import { Type } from 'typebox';
import { flag, text, webUrlOrEmpty, whole } from './kinds.ts';

const secret = (description: string) => Type.String({ default: '', secret: true, description });

export const Store = Type.Object({
  kind: Type.Union([Type.Literal('embedded'), Type.Literal('distributed')], {
    default: 'embedded',
    description:
      'where data is stored: embedded (files in the data directory), or distributed (PostgreSQL and an S3 object store, shared by any number of nodes)',
  }),
  postgres: Type.Object({
    url: secret(
      'with store.kind distributed: connection URL of PostgreSQL, such as postgres://nameglass:PASSWORD@pg1,pg2/nameglass; of several hosts, the one that is no replica is used',
    ),
    schema: Type.String({
      default: 'nameglass',
      pattern: '^[a-z_][a-z0-9_]{0,39}$',
      description: 'schema of the database that holds all tables',
    }),
    poolMax: whole(10, 'maximum number of connections of each process to each database', 2, 1000),
    shards: Type.Array(Type.String(), {
      default: [],
      secret: true,
      description:
        'connection URLs of databases over which domain records are spread; empty keeps them in store.postgres.url. The order must never change',
    }),
  }),
  s3: Type.Object({
    endpoint: Type.String({
      default: '',
      pattern: webUrlOrEmpty,
      description: 'with store.kind distributed: URL of the object store',
    }),
    bucket: text('nameglass', 'bucket that holds screenshots, archives and closed segments of streams'),
    region: text('us-east-1', 'region for which requests to the object store are signed'),
    pathStyle: flag(true, 'whether the bucket is part of the path rather than of the host name'),
    accessKey: text('', 'access key of the object store'),
    secretKey: secret('secret key of the object store'),
    prefix: Type.String({
      default: '',
      pattern: '^(?:[A-Za-z0-9._-]+/)*$',
      description: 'prefix of all object names, such as "production/"',
    }),
  }),
  clickhouse: Type.Object({
    urls: Type.Array(Type.String({ pattern: '^https?://[^\\s/?#@,]+/?(?:,https?://[^\\s/?#@,]+/?)*$' }), {
      default: [],
      description:
        'with passive DNS on ClickHouse: the URL of its HTTP interface, such as http://ch1:8123, for each shard; of its replicas separated by commas. The number and the order of shards must never change',
    }),
    database: Type.String({
      default: 'nameglass',
      pattern: '^[a-z_][a-z0-9_]{0,39}$',
      description: 'database of ClickHouse that holds passive DNS',
    }),
    user: text('default', 'user of ClickHouse'),
    password: secret('password of that user'),
    cluster: Type.String({
      default: '',
      pattern: '^[A-Za-z0-9_-]*$',
      description:
        'name of the cluster where tables are replicated: they are then made as replicated tables, and an insert waits for two replicas; empty for a single server',
    }),
    allowOld: flag(false, 'whether versions of ClickHouse before 24.8 are accepted, which nobody maintains'),
  }),
  passiveDns: Type.Union(
    [Type.Literal('segments'), Type.Literal('clickhouse'), Type.Literal('node'), Type.Literal('other-node')],
    {
      default: 'segments',
      description:
        'with store.kind distributed, where passive DNS is stored: segments (the object store, for all nodes), clickhouse (for all nodes), node (the data directory of this node) or other-node (that of another one: workers leave the jobs that read it to that node)',
    },
  ),
  cacheDirectory: text(
    '',
    'with store.passiveDns segments: directory for the parts of passive DNS that this node has read; empty: cache in the data directory. It may be lost',
  ),
  cacheBytesMax: whole(
    50_000_000_000,
    'bytes that may be in that directory, unless lookups need more at once',
    1_000_000,
    1_000_000_000_000_000,
  ),
  unsealedBytesMax: whole(
    10_000_000_000,
    'bytes of feeds and channels in PostgreSQL, where they wait for the object store, above which /readyz, the Health page and doctor warn',
    1_000_000,
    1_000_000_000_000_000,
  ),
  accountCacheMs: whole(
    0,
    'milliseconds for which a node may remember an API key; a key that was removed works on other nodes for that long',
    0,
    60_000,
  ),
  usageDurable: flag(
    false,
    'whether each counted request is on disk before it is answered; otherwise about half a second of counts is lost when PostgreSQL dies',
  ),
});
