/** Snippets from the documentation of the services. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readPage } from '../../../../src/collect/collectors/web/read-page.ts';
import { TrackerSearch } from '../../../../src/collect/collectors/web/tracker-search.ts';

const baidu = '0123456789abcdef0123456789abcdef';

const snippets: readonly (readonly [what: string, page: string, codes: object])[] = [
  [
    'ads by an address',
    '<script async src="https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js?client=ca-pub-1234567890123456"></script>',
    { ad_tracker_code: 'pub-1234567890123456' },
  ],
  [
    'ads by an attribute, the first of two',
    '<ins class="adsbygoogle" data-ad-client="ca-pub-1234567890123456"></ins><ins data-ad-client="pub-6543210987654321">',
    { ad_tracker_code: 'pub-1234567890123456' },
  ],
  [
    'ads by a meta element',
    '<meta name="google-adsense-account" content="ca-pub-1234567890123456">',
    { ad_tracker_code: 'pub-1234567890123456' },
  ],
  [
    'analytics',
    "<script>ga('create', 'UA-12345678-12', 'auto');</script>",
    { analytics_code: 'UA-12345678-12' },
  ],
  [
    'analytics of the fourth version',
    "<script src='https://www.googletagmanager.com/gtag/js?id=G-ABC1234567'></script><script>gtag('config', 'G-ABC1234567');gtag(\"config\",\"G-XYZ7654321\")</script>",
    { analytics_v4_codes: ['G-ABC1234567', 'G-XYZ7654321'] },
  ],
  [
    'a tag manager in a script and for those without',
    '<script>(function(w,d,s,l,i){})(window,document,"script","dataLayer","GTM-ABC1234");</script><noscript><iframe src="https://www.googletagmanager.com/ns.html?id=GTM-ABC1234"></iframe></noscript>',
    { tag_manager_codes: ['GTM-ABC1234'] },
  ],
  [
    'a social network',
    "<script>fbq( 'init' , '123456789012345'); fbq('track','PageView');</script><noscript><img src=\"https://www.facebook.com/tr?id=987654321098765&amp;ev=PageView&amp;noscript=1\"/></noscript>",
    { social_codes: ['123456789012345', '987654321098765'] },
  ],
  [
    'heat maps',
    '<script>h._hjSettings={hjid:1234567,hjsv:6};</script><script src="https://static.hotjar.com/c/hotjar-7654321.js?sv=6"></script>',
    { heatmap_codes: ['1234567', '7654321'] },
  ],
  [
    'analytics of China',
    `<script>hm.src = "https://hm.baidu.com/hm.js?${baidu}";</script>`,
    { analytics_cn_codes: [baidu] },
  ],
  [
    'metrics of Russia',
    '<script>ym(12345678, "init", {});</script><noscript><img src="https://mc.yandex.ru/watch/12345678"></noscript><script>w.yaCounter87654321 = new Ya.Metrika({id:87654321})</script>',
    { metrics_ru_codes: ['12345678', '87654321'] },
  ],
  [
    "analytics of one's own, with its place",
    '<script>var _paq=[];_paq.push(["trackPageView"]);(function(){var u="//Stats.acme.example/";_paq.push(["setTrackerUrl",u+"matomo.php"]);_paq.push(["setSiteId","42"]);})()</script>',
    { selfhosted_analytics_codes: ['stats.acme.example/42'] },
  ],
  [
    "analytics of one's own at the page's own place",
    '<script>var u="/matomo/";_paq.push(["setSiteId", 3]);</script>',
    { selfhosted_analytics_codes: ['page.example/3'] },
  ],
  [
    "analytics of one's own in a picture",
    '<img src="https://stats.acme.example/a/matomo.php?rec=1&amp;idsite=7">',
    { selfhosted_analytics_codes: ['stats.acme.example/7'] },
  ],
  [
    'a counter',
    '<script>var sc_project=12345678; var sc_invisible=1; var sc_security="abcdef12";</script><noscript><img src="https://c.statcounter.com/12345678/0/abcdef12/1/"></noscript>',
    { counter_project_codes: ['12345678'], counter_security_codes: ['abcdef12'] },
  ],
  [
    'addresses within JSON',
    '<script type="application/json">{"u":"https:\\/\\/mc.yandex.ru\\/watch\\/12345678"}</script>',
    { metrics_ru_codes: ['12345678'] },
  ],
  ['none in what people read', '<p>UA-12345678-1 GTM-ABC1234 pub-1234567890123456</p>', {}],
  ['none in names that only resemble codes', '<script>var x="LIUA-1234-1 g-column G-lower";</script>', {}],
];

for (const [what, page, codes] of snippets) {
  test(`trackers are found: ${what}`, async () => {
    assert.deepEqual((await readPage(page, 'page.example')).trackers, codes);
  });
}

test('a code is found wherever the page is split into chunks', () => {
  const script = `;ga('create','UA-12345678-12');var sc_project=12345678;fbq('init', '123456789012345');`;
  const cutAt = fc.nat(script.length);
  fc.assert(
    fc.property(fc.integer({ min: 15_900, max: 16_400 }), cutAt, (before, at) => {
      const search = new TrackerSearch();
      for (const piece of [' '.repeat(before), script.slice(0, at), script.slice(at), ' '.repeat(20_000)])
        search.addText(piece);
      assert.deepEqual(search.end('x.example'), {
        analytics_code: 'UA-12345678-12',
        social_codes: ['123456789012345'],
        counter_project_codes: ['12345678'],
      });
    }),
  );
});

test('the number of codes from one page is limited', () => {
  const search = new TrackerSearch();
  for (let index = 1000; index < 6000; index += 1) search.addText(`"GTM-${index}" `);
  assert.equal(search.end('x.example').tag_manager_codes?.length, 20);
});
