/** What a cluster stands on: PostgreSQL with a synchronous replica, the RADOS Gateway, and ClickHouse where passive DNS is there. */
import type { TestContext } from 'node:test';
import { type ClickHouseServer, startClickHouse } from '../engines/clickhouse.ts';
import { type PostgresServer, startPostgres, startReplica } from '../engines/postgres.ts';
import { type RadosGateway, startRadosGateway } from '../engines/rados-gateway.ts';
import { nameglass } from '../server/command-line.ts';
import type { TestScope } from '../test-scope.ts';

export interface ClusterEngines {
  readonly primary: PostgresServer;
  readonly replica: PostgresServer;
  readonly gateway: RadosGateway;
  readonly clickhouse: ClickHouseServer | undefined;
  /** `NAMEGLASS_STORE_…`, with the addresses at which a node reaches them. */
  environment(addresses?: EngineAddresses): Readonly<Record<string, string>>;
}

export interface EngineAddresses {
  /** Host and port of each server of PostgreSQL. */
  readonly postgres: readonly string[];
  readonly s3: string;
}

export type SharedPassiveDns = 'segments' | 'clickhouse';

interface EngineOptions {
  readonly secret: string;
  readonly listenAddresses: string;
  /** Where it is not chosen, it is where it is by default. */
  readonly passiveDns?: SharedPassiveDns | undefined;
}

/** Undefined where the software is missing. The tables are made, and the accounts empty. */
export async function startEngines(
  scope: TestScope,
  { secret, listenAddresses, passiveDns }: EngineOptions,
): Promise<ClusterEngines | undefined> {
  const t = scope as TestContext;
  const settings = { listen_addresses: listenAddresses };
  const [primary, gateway] = await Promise.all([startPostgres(t, { settings }), startRadosGateway(t)]);
  const clickhouse = passiveDns === 'clickhouse' ? await startClickHouse(t) : undefined;
  if (!primary || !gateway || (passiveDns === 'clickhouse' && !clickhouse)) return undefined;
  const replica = await startReplica(scope, primary);
  const s3 = gateway.newOptions();
  const usual = {
    postgres: [`127.0.0.1:${primary.port}`, `127.0.0.1:${replica.port}`],
    s3: gateway.endpoint,
  };
  const environment = ({ postgres, s3: endpoint }: EngineAddresses = usual) => ({
    NAMEGLASS_SECRET: secret,
    NAMEGLASS_STORE_KIND: 'distributed',
    NAMEGLASS_STORE_POSTGRES_URL: `postgres://postgres@${postgres.join(',')}/postgres?target_session_attrs=read-write`,
    NAMEGLASS_STORE_S3_ENDPOINT: endpoint,
    NAMEGLASS_STORE_S3_BUCKET: s3.bucket,
    NAMEGLASS_STORE_S3_ACCESS_KEY: s3.accessKey,
    NAMEGLASS_STORE_S3_SECRET_KEY: s3.secretKey,
    NAMEGLASS_STORE_S3_PREFIX: s3.prefix,
    ...(passiveDns && { NAMEGLASS_STORE_PASSIVE_DNS: passiveDns }),
    ...(clickhouse && {
      NAMEGLASS_STORE_CLICKHOUSE_URLS: clickhouse.url,
      NAMEGLASS_STORE_CLICKHOUSE_ALLOW_OLD: 'true',
    }),
  });
  const migrated = await nameglass(['store', 'migrate'], { env: environment() });
  if (migrated.code !== 0) throw new Error(`store migrate: ${migrated.err}`);
  return { primary, replica, gateway, clickhouse, environment };
}
