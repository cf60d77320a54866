/** The little HTML that the server writes by itself. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function htmlPage(title: string, body: string): string {
  const name = escapeHtml(title);
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${name}</title></head><body>${body}</body></html>\n`;
}
