/** A minimal HTML page for responses that the server writes itself. */
import { escapeHtml } from '../model/escape-html.ts';

/** `head`: further elements of it. */
export function htmlPage(title: string, body: string, head = ''): string {
  const name = escapeHtml(title);
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${name}</title>${head}</head><body>${body}</body></html>\n`;
}
