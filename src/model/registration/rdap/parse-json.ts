/** Parses untrusted JSON; undefined where it is malformed or nested too deep. */

const depthMax = 40;
const [quote, backslash, openList, openObject, closeList, closeObject] = [0x22, 0x5c, 0x5b, 0x7b, 0x5d, 0x7d];

export function parseJson(bytes: Buffer): unknown {
  if (isDeep(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function isDeep(bytes: Buffer): boolean {
  let [depth, isText] = [0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === openList || byte === openObject) {
      depth += 1;
      if (depth > depthMax) return true;
    } else if (byte === closeList || byte === closeObject) depth -= 1;
  }
  return false;
}
