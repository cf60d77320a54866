/**
 * Writes to a database until it is killed: transactions of all sizes, through two connections, one of which is closed and opened again, while
 * a third one reads now and then for a while. Prints the number of each transaction that is durable.
 */
import { openDatabase, write } from '../../../src/store/embedded/database.ts';

const [path = '', name = '', seed = '1'] = process.argv.slice(2);
let state = Number(seed);

/** Lehmer's generator: the same for the same seed. */
function below(limit: number): number {
  state = (state * 48_271) % 2_147_483_647;
  return state % limit;
}

const connect = () => openDatabase(path, 'usage', 'full');
let connections = [connect(), connect()] as const;
const reader = connect();
const read = reader.prepare('select count(*) from mark');

for (let number = 1; ; number += 1) {
  const connection = connections[below(2)] as (typeof connections)[0];
  const put = connection.prepare('insert or replace into mark (name, text) values (?, ?)');
  await write(connection, () => {
    for (let row = below(5) === 0 ? 600 : below(20); row >= 0; row -= 1)
      put.run(`${name} ${below(5000)}`, `${number} `.repeat(below(150)));
    if (below(40) === 0) connection.prepare('delete from mark where name like ?').run(`${name} _%`);
    put.run(name, String(number));
  });
  process.stdout.write(`${number}\n`);
  if (reader.inTransaction) {
    if (below(10) === 0) reader.prepare('commit').run();
  } else if (below(60) === 0) {
    reader.prepare('begin').run();
    read.get();
  }
  if (below(30) === 0) {
    connections[0].close();
    connections = [connections[1], connect()];
  }
  if (below(50) === 0 && !reader.inTransaction) {
    try {
      connections[0].exec('vacuum');
    } catch {
      // Another process writes.
    }
  }
}
