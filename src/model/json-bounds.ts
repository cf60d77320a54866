/**
 * Bounds on JSON from clients. `JSON.parse` is fast for long texts and slow for many values or levels: a megabyte of them holds the
 * event loop for a quarter of a second. Counting the marks beforehand costs a few milliseconds at most.
 */
const valuesMax = 10_000;
const levelsMax = 100;

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Why the text must not be parsed; undefined for a text within the bounds, which may still be no JSON. */
export function findJsonExcess(text: string, most = valuesMax): string | undefined {
  let values = 1;
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === comma) values += 1;
    else if (code === closeBrace || code === closeBracket) level -= 1;
    else if (code === openBrace || code === openBracket) {
      values += 1;
      level += 1;
    }
    if (values > most) return `has more than ${most} values`;
    if (level > levelsMax) return `is nested deeper than ${levelsMax} levels`;
  }
  return undefined;
}

/** The index of the closing quote: one that follows an even number of backslashes. */
function endOfString(text: string, startAt: number): number {
  for (let at = text.indexOf('"', startAt + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text[before] === '\\') before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}
