/** The name under which a process reports its health: process numbers repeat over hosts, and in containers they are all the same. */
export function processName(role: string, node: string, pid: number, startedMs: number): string {
  return `${role}-${pid}-${startedMs}@${node}`;
}
