/** Databases for test servers, cloned from one that has all tables: migrations would take ten times as long as everything else. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import { migrate, migrationsOf, schemaParts } from '../../../src/store/distributed/postgres/migrations.ts';

export const schema = 'nameglass';

/** One for each state of the migrations, so that a server of PostgreSQL can outlive changes of them. */
const template = `template_${hash('sha1', textOfMigrations()).slice(0, 20)}`;

function textOfMigrations(): string {
  return migrationsOf(schemaParts)
    .map(({ path }) => readFileSync(path, 'utf8'))
    .join('\n');
}

export function urlOfDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function cloneDatabase(serverUrl: string, name: string): Promise<void> {
  await asAdministrator(serverUrl, async (client) => {
    // Several processes may want the template at once, and nobody may be connected to it while it is copied.
    await client.query('select pg_advisory_lock(1)');
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) await makeTemplate(client, serverUrl);
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
}

export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await asAdministrator(serverUrl, (client) => client.query(`drop database ${name} with (force)`));
}

async function makeTemplate(client: Client, serverUrl: string): Promise<void> {
  await client.query(`create database ${template}`);
  const url = urlOfDatabase(serverUrl, template);
  const database = new PostgresDatabase({ url, schema, poolMax: 1 });
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
}

async function asAdministrator(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
