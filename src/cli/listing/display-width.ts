/** How many columns of a terminal a text takes: wide characters two, combining ones none. */
const combining = /^[\p{Mn}\p{Me}]$/u;

/** The blocks of East Asian Width W and F that names and titles are written in, and emoji. */
const wideRanges: readonly (readonly [from: number, to: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (combining.test(character)) return 0;
  return wideRanges.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** Cut to a width, with an ellipsis in place of what is missing. */
export function fitted(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let [shown, used] = ['', 0];
  for (const character of text) {
    const next = used + widthOf(character);
    if (next > width - 1) break;
    shown += character;
    used = next;
  }
  return `${shown}…`;
}
