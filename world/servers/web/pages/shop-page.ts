/** A shop with a dozen things that are always on sale. */
import { stableNumber } from '../../stable-choice.ts';
import { escaped, logoOf } from './markup.ts';

const goods = ['Lamp', 'Chair', 'Kettle', 'Rucksack', 'Notebook', 'Headphones', 'Watch', 'Mug'] as const;

export function shopPage(name: string, title: string, brand: string): { style: string; content: string } {
  const items = goods.map((item) => {
    const number = stableNumber(`${name} ${item}`);
    const price = 9 + (number % 190);
    const style = `background:linear-gradient(${number % 360}deg,hsl(${number % 360} 70% 88%),hsl(${(number >> 8) % 360} 60% 72%))`;
    return `<article><div style="${style}"></div><h3>${item} No. ${number % 90}</h3><p><s>${price * 2}.00</s> <b>${price}.00</b></p><button class="button">Add to basket</button></article>`;
  });
  return {
    style: `
.sale{padding:.7rem 6vw;background:var(--accent);color:#fff;text-align:center;font-weight:600}
h1{padding:2.5rem 6vw 1rem;font-size:2rem}
.goods{display:grid;grid-template-columns:repeat(4,1fr);gap:1.4rem;padding:1rem 6vw 4rem}
article{border:1px solid #e7e9ef;border-radius:.8rem;padding:1rem}
article div{height:9rem;border-radius:.5rem;margin-bottom:.8rem}
article s{color:#9ca3af}
article .button{width:100%;margin-top:.8rem;padding:.6rem}`,
    content: `<div class="sale">Up to 50 % off everything, today only</div>
<header>${logoOf(brand)}<nav><a href="/new">New</a><a href="/sale">Sale</a><a href="/basket">Basket (0)</a></nav></header>
<h1>${escaped(title)}</h1>
<section class="goods">${items.join('')}</section>
<footer>&copy; ${escaped(brand)} &middot; Free delivery &middot; 30 days to return</footer>`,
  };
}
