/**
 * `key-reset-worker.ts DIRECTORY USERNAME KEY PORT`: connects and reports it; when the file `go` exists it resets the
 * key, sends a request after the reset, and then creates the file `done`. Files are used because the waiting process
 * blocks its event loop.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openAccountStore } from '../../../src/store/embedded/account-store.ts';
import { keyVault, openServerSecret } from '../../../src/store/key-vault.ts';

const [directory = '', username = '', key = '', port = ''] = process.argv.slice(2);
const store = openAccountStore(directory, keyVault(openServerSecret(directory, '')));
const socket = connect(Number(port), '127.0.0.1');
socket.write('ready');
while (!existsSync(join(directory, 'go'))) await pause(1);
await store.resetKey(username, key, { actor: 'operator', atMs: 0 });
socket.write('request', () => {
  writeFileSync(join(directory, 'done'), '');
  socket.end();
});
await store.close();
process.disconnect?.();
