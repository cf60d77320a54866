/** A line of text that is typed in the terminal. */

/** The text after a key. What is pasted comes as text too. */
export function edited(text: string, key: string): string {
  if (key === 'Backspace') return Array.from(text).slice(0, -1).join('');
  if (key === 'Mod+u') return '';
  const typed = key.replace(/^(?:Shift|Paste)\+/, '');
  return Array.from(typed).length === 1 && !/\p{Cc}/u.test(typed) ? text + typed : text;
}
