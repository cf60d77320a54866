/** The page of a parked domain. */
import { escaped } from './markup.ts';

const topics = [
  'Car Insurance',
  'Cheap Flights',
  'Online Degrees',
  'Web Hosting',
  'Credit Cards',
  'Solar Panels',
];

export function parkedPage(name: string, title: string): { style: string; content: string } {
  const links = topics.map(
    (topic) => `<a href="/search?q=${encodeURIComponent(topic)}">${topic}<i>&rsaquo;</i></a>`,
  );
  return {
    style: `
body{background:#eef1f6}
.offer{padding:.8rem;text-align:center;background:#111827;color:#fff}
.offer a{color:#facc15;font-weight:700}
main{max-width:44rem;margin:4rem auto;text-align:center}
h1{font-size:2.4rem;margin-bottom:1rem;overflow-wrap:anywhere}
h2{margin:2.5rem 0 1rem;font-size:1.2rem;color:#6b7280}
.topics{display:grid;gap:.8rem}
.topics a{display:flex;justify-content:space-between;padding:1.1rem 1.6rem;border-radius:.6rem;background:#fff;font-size:1.15rem}`,
    content: `<div class="offer">The domain <a href="/offer">${escaped(name)}</a> may be for sale. <a href="/offer">Make an offer</a></div>
<main><h1>${escaped(name)}</h1><p>${escaped(title)}</p><h2>Related searches</h2><div class="topics">${links.join('')}</div></main>`,
  };
}
