/** A program that knows nothing of us: opens a database, reads all of its tables, and closes it. */
import Sqlite from 'better-sqlite3';

const database = new Sqlite(process.argv[2]);
const tables = database.prepare("select name from sqlite_schema where type = 'table'").pluck().all();
for (const table of tables) database.prepare(`select count(*) from "${String(table)}"`).get();
database.close();
