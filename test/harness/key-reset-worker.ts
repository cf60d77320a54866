/**
 * `key-reset-worker.ts DIRECTORY USERNAME KEY PORT`: connects and says so; when the file `go` is there it resets the key,
 * sends a request that knows of the reset, and then leaves the file `done`. Files, because the process that waits for it
 * is not serving its event loop meanwhile.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openAccountStore } from '../../src/store/embedded/account-store.ts';
import { keyVault, openServerSecret } from '../../src/store/key-vault.ts';

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
