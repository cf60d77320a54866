/** The holdout set: one name in twenty, chosen by hash, is never trained on, so that every model can be evaluated on it. */
const oneIn = 20;

export function isHeldOut(domain: string): boolean {
  let hash = 0x811c9dc5 ^ 99;
  for (let at = 0; at < domain.length; at += 1) hash = Math.imul(hash ^ domain.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) % oneIn === 0;
}
