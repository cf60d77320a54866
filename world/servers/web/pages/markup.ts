/** The frame that all pages share. Nothing in it is loaded from elsewhere, but for what trackers load. */
import type { Palette } from '../palette.ts';

export interface PageParts {
  readonly title: string;
  readonly palette: Palette;
  /** Trackers that stand in the head and at the end of the body. */
  readonly snippets: { readonly head: string; readonly body: string };
  readonly style: string;
  readonly content: string;
}

export function pageOf({ title, palette, snippets, style, content }: PageParts): string {
  const colours = Object.entries(palette).map(([name, colour]) => `--${name}:${colour}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>:root{${colours.join(';')}}${base}${style}</style>
${snippets.head}
</head>
<body>
${content}
${snippets.body}
</body>
</html>
`;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The sign of a brand: its first letter on its colour. */
export function logoOf(brand: string): string {
  const letter = escaped((brand.trim().charAt(0) || '·').toUpperCase());
  return `<span class="logo"><b>${letter}</b>${escaped(brand)}</span>`;
}

const base = `
*{box-sizing:border-box;margin:0}
body{font:16px/1.6 system-ui,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;color:#1d2330;background:#fff}
a{color:var(--main);text-decoration:none}
.logo{display:inline-flex;align-items:center;gap:.6rem;font-weight:700;font-size:1.25rem;color:var(--dark)}
.logo b{display:grid;place-items:center;width:2.2rem;height:2.2rem;border-radius:.6rem;background:var(--main);color:#fff}
header{display:flex;justify-content:space-between;align-items:center;padding:1.1rem 6vw;border-bottom:1px solid #e7e9ef}
nav{display:flex;gap:1.6rem;font-size:.95rem}
.button{display:inline-block;padding:.8rem 1.6rem;border:0;border-radius:.6rem;background:var(--main);color:#fff;font:inherit;font-weight:600}
footer{padding:2rem 6vw;color:#6b7280;font-size:.85rem;border-top:1px solid #e7e9ef}
`;
