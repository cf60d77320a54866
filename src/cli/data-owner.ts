/**
 * What root runs beside the server of another user goes on as that user, who owns the data directory: what root would write there, the
 * server could not.
 */
import { statSync } from 'node:fs';
import { userInfo } from 'node:os';

let owner: string | undefined;

/** Before anything in the directory is opened, and before threads start. */
export function becomeDataOwner(data: string): void {
  const { getuid, setuid, setgid, setgroups } = process;
  if (getuid?.() !== 0 || !setuid || !setgid || !setgroups) return;
  const found = statSync(data, { throwIfNoEntry: false });
  if (!found || found.uid === 0) return;
  setgroups([found.gid]);
  setgid(found.gid);
  setuid(found.uid);
  owner = `${nameOf(found.uid)}, who owns ${data}`;
}

function nameOf(uid: number): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${uid}`;
  }
}

/** Behind the message of an error that root does not expect. */
export function permissionHint(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (owner === undefined || (code !== 'EACCES' && code !== 'EPERM')) return '';
  return `; root's command runs as ${owner}, so that the server can write what it leaves there: name what that user may use, or standard input and output (-)`;
}
