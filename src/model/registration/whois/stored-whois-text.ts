/** The WHOIS text stored in a record: all answers, cut to the size limit. */

const bytesMax = 98_304;

export function storedWhoisText(answers: readonly string[]): string {
  let text = answers
    .map((answer) => answer.replaceAll('\r\n', '\n').trim())
    .join('\n\n')
    .toWellFormed()
    .replaceAll('\0', '');
  // Measured as JSON, where a control character takes six bytes.
  for (let bytes = jsonBytes(text); bytes > bytesMax; bytes = jsonBytes(text)) {
    text = text.slice(0, Math.floor(text.length * Math.min(0.9, bytesMax / bytes))).toWellFormed();
  }
  return text;
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
