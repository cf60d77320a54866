/** The page of a site as HTML. What kind of page is bad is decided in `hostile-pages.ts`. */
import type { Site, WorldDomain } from '../../world-domain.ts';
import { homePage } from './pages/home-page.ts';
import { loginPage } from './pages/login-page.ts';
import { pageOf } from './pages/markup.ts';
import { parkedPage } from './pages/parked-page.ts';
import { shopPage } from './pages/shop-page.ts';
import { paletteOf } from './palette.ts';
import { snippetsOf } from './tracker-snippets.ts';

export function pageOfSite({ name }: Pick<WorldDomain, 'name'>, site: Site): string {
  const brand = site.brand ?? ownBrand(name);
  return pageOf({
    title: site.title,
    palette: paletteOf(brand.toLowerCase()),
    snippets: snippetsOf(site.trackers, name),
    ...contentOf(site, name, brand),
  });
}

function contentOf({ kind, title }: Site, name: string, brand: string): { style: string; content: string } {
  if (kind === 'shop') return shopPage(name, title, brand);
  if (kind === 'login') return loginPage(name, title, brand);
  return kind === 'parked' ? parkedPage(name, title) : homePage(name, title, brand);
}

function ownBrand(name: string): string {
  const label = name.slice(0, name.indexOf('.'));
  return label.charAt(0).toUpperCase() + label.slice(1);
}
