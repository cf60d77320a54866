/** The front page of an ordinary company or person. */
import { stableChoice } from '../../stable-choice.ts';
import { escaped, logoOf } from './markup.ts';

const promises = [
  ['Simple', 'Set up in minutes, understood in seconds. No manual required.'],
  ['Reliable', 'Built by people who answer the telephone when it rings at night.'],
  ['Yours', 'Your data stays with you, and leaves with you whenever you like.'],
] as const;

export function homePage(name: string, title: string, brand: string): { style: string; content: string } {
  const slogan = stableChoice(name, [
    'Made with care, delivered with pride.',
    'Good work, honest prices.',
    'Everything in one place, at last.',
    'We take it from here.',
  ]);
  const cards = promises.map(([head, text]) => `<article><h3>${head}</h3><p>${text}</p></article>`);
  return {
    style: `
.hero{padding:6rem 6vw;background:linear-gradient(120deg,var(--dark),var(--main));color:#fff}
.hero h1{font-size:3rem;line-height:1.15;max-width:18ch}
.hero p{margin:1.2rem 0 2rem;font-size:1.2rem;opacity:.9}
.hero .button{background:#fff;color:var(--dark)}
.cards{display:grid;grid-template-columns:repeat(3,1fr);gap:1.5rem;padding:4rem 6vw;background:var(--pale)}
article{padding:2rem;border-radius:1rem;background:#fff;box-shadow:0 1px 3px #0001,0 8px 24px #0000000d}
article h3{margin-bottom:.5rem;color:var(--main)}`,
    content: `<header>${logoOf(brand)}<nav><a href="/">Home</a><a href="/about">About</a><a href="/contact">Contact</a></nav></header>
<section class="hero"><h1>${escaped(title)}</h1><p>${slogan}</p><a class="button" href="/about">Learn more</a></section>
<section class="cards">${cards.join('')}</section>
<footer>&copy; ${escaped(brand)} &middot; ${escaped(name)} &middot; <a href="mailto:info@${escaped(name)}">info@${escaped(name)}</a></footer>`,
  };
}
