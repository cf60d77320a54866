import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openDetectStores } from '../../../../src/store/distributed/detect-stores.ts';
import { openObjects } from '../../../../src/store/distributed/s3/open-objects.ts';
import { openStreamStore } from '../../../../src/store/distributed/stream/stream-store.ts';
import { changeSignalsConformance } from '../../../conformance/growth/change-signals.ts';
import { newNodes } from '../../../harness/engines/nodes.ts';
import { type PostgresServer, startPostgres } from '../../../harness/engines/postgres.ts';
import { unusedS3 } from '../../../harness/engines/unused-s3.ts';
import { WatchlistFixture } from '../../../harness/fixtures/watchlist-fixture.ts';
import { fileScope } from '../../../harness/test-scope.ts';

const server = await startPostgres(fileScope());

if (server) {
  changeSignalsConformance('streams of the distributed adapter', (t) => growingStreams(t, server));
  changeSignalsConformance('events of the distributed adapter', (t) => growingEvents(t, server));
} else test('change signals', { skip: 'skipped: no PostgreSQL' }, () => undefined);

/** Ends the connections that listen, as a failover would. */
const loseListeners = (postgres: PostgresServer) => async () => {
  await postgres.run(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'`);
};

async function growingStreams(t: TestContext, postgres: PostgresServer) {
  const node = newNodes(postgres, ['streams'], t);
  const open = () => {
    const database = node();
    return openStreamStore(database, openObjects(database, unusedS3));
  };
  const [reader, writer] = [open(), open()];
  return {
    signals: reader.growth ?? assert.fail(),
    findEnd: async (stream: string) => (await reader.findState(stream))?.end ?? 0,
    grow: async (stream: string) => {
      await writer.append([{ stream, bytes: Buffer.from('line\n') }], Date.now());
    },
    lose: loseListeners(postgres),
  };
}

async function growingEvents(t: TestContext, postgres: PostgresServer) {
  const node = newNodes(postgres, ['watchlist'], t);
  const [reader, writer] = [openDetectStores(node()), openDetectStores(node())];
  const fixtures = new Map<string, WatchlistFixture>();
  for (const name of ['one', 'two']) fixtures.set(name, new WatchlistFixture(writer, name));
  let found = 0;
  return {
    signals: reader.events.growth ?? assert.fail(),
    findEnd: (accountId: string) => reader.events.lastEventId(accountId),
    grow: async (accountId: string) => {
      const fixture = fixtures.get(accountId) ?? assert.fail();
      found += 1;
      await fixture.discover(`found${found}.example`, [await fixture.monitor()]);
    },
    lose: loseListeners(postgres),
  };
}
