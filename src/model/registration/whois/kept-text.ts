/** The text of a record as it is kept: all answers, no longer than a record has room for, whatever characters it is made of. */

const bytesMax = 98_304;

export function keptText(answers: readonly string[]): string {
  let text = answers
    .map((answer) => answer.replaceAll('\r\n', '\n').trim())
    .join('\n\n')
    .toWellFormed()
    .replaceAll('\0', '');
  // As JSON, in which a control character takes six.
  for (let bytes = jsonBytes(text); bytes > bytesMax; bytes = jsonBytes(text)) {
    text = text.slice(0, Math.floor(text.length * Math.min(0.9, bytesMax / bytes))).toWellFormed();
  }
  return text;
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
