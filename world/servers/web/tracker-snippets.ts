/** What each service of counters and advertisements has its customers put in their pages, with their own code in it. */

type Snippet = (code: string) => string;

const script = (text: string) => `<script>${text}</script>`;

/** By the member of the plain record that the code belongs to. */
const inHead: Readonly<Record<string, Snippet>> = {
  ad_tracker_code: (code) => {
    const client = `ca-${code.replace(/^ca-/, '')}`;
    return `<script async src="https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js?client=${client}" crossorigin="anonymous"></script>`;
  },
  analytics_code: (code) =>
    script(`
(function(i,s,o,g,r,a,m){i['GoogleAnalyticsObject']=r;i[r]=i[r]||function(){
(i[r].q=i[r].q||[]).push(arguments)},i[r].l=1*new Date();a=s.createElement(o),
m=s.getElementsByTagName(o)[0];a.async=1;a.src=g;m.parentNode.insertBefore(a,m)
})(window,document,'script','https://www.google-analytics.com/analytics.js','ga');
ga('create', '${code}', 'auto');
ga('send', 'pageview');
`),
  analytics_v4_codes: (code) =>
    `<script async src="https://www.googletagmanager.com/gtag/js?id=${code}"></script>
${script(`
window.dataLayer = window.dataLayer || [];
function gtag(){dataLayer.push(arguments);}
gtag('js', new Date());
gtag('config', '${code}');
`)}`,
  tag_manager_codes: (code) =>
    script(`(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':
new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],
j=d.createElement(s),dl=l!='dataLayer'?'&l='+l:'';j.async=true;j.src=
'https://www.googletagmanager.com/gtm.js?id='+i+dl;f.parentNode.insertBefore(j,f);
})(window,document,'script','dataLayer','${code}');`),
  social_codes: (code) =>
    script(`
!function(f,b,e,v,n,t,s){if(f.fbq)return;n=f.fbq=function(){n.callMethod?
n.callMethod.apply(n,arguments):n.queue.push(arguments)};if(!f._fbq)f._fbq=n;
n.push=n;n.loaded=!0;n.version='2.0';n.queue=[];t=b.createElement(e);t.async=!0;
t.src=v;s=b.getElementsByTagName(e)[0];s.parentNode.insertBefore(t,s)}(window,
document,'script','https://connect.facebook.net/en_US/fbevents.js');
fbq('init', '${code}');
fbq('track', 'PageView');
`),
  heatmap_codes: (code) =>
    script(`
(function(h,o,t,j,a,r){h.hj=h.hj||function(){(h.hj.q=h.hj.q||[]).push(arguments)};
h._hjSettings={hjid:${code},hjsv:6};a=o.getElementsByTagName('head')[0];
r=o.createElement('script');r.async=1;r.src=t+h._hjSettings.hjid+j+h._hjSettings.hjsv;
a.appendChild(r);})(window,document,'https://static.hotjar.com/c/hotjar-','.js?sv=');
`),
  analytics_cn_codes: (code) =>
    script(`
var _hmt = _hmt || [];
(function() {
  var hm = document.createElement("script");
  hm.src = "https://hm.baidu.com/hm.js?${code}";
  var s = document.getElementsByTagName("script")[0];
  s.parentNode.insertBefore(hm, s);
})();
`),
  metrics_ru_codes: (code) =>
    script(`
(function(m,e,t,r,i,k,a){m[i]=m[i]||function(){(m[i].a=m[i].a||[]).push(arguments)};
m[i].l=1*new Date();k=e.createElement(t),a=e.getElementsByTagName(t)[0],k.async=1,k.src=r,a.parentNode.insertBefore(k,a)})
(window, document, "script", "https://mc.yandex.ru/metrika/tag.js", "ym");
ym(${code}, "init", { clickmap:true, trackLinks:true, accurateTrackBounce:true });
`),
};

const inBody: Readonly<Record<string, Snippet>> = {
  tag_manager_codes: (code) =>
    `<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=${code}" height="0" width="0" style="display:none;visibility:hidden"></iframe></noscript>`,
  social_codes: (code) =>
    `<noscript><img height="1" width="1" style="display:none" src="https://www.facebook.com/tr?id=${code}&ev=PageView&noscript=1"></noscript>`,
  metrics_ru_codes: (code) =>
    `<noscript><div><img src="https://mc.yandex.ru/watch/${code}" style="position:absolute; left:-9999px;" alt=""></div></noscript>`,
};

export interface Snippets {
  readonly head: string;
  readonly body: string;
}

/** `domain` is where a counter of the site's own would be. */
export function snippetsOf(trackers: Readonly<Record<string, readonly string[]>>, domain: string): Snippets {
  const all = (table: Readonly<Record<string, Snippet>>) =>
    Object.entries(table).flatMap(([member, snippet]) => (trackers[member] ?? []).map(snippet));
  const selfHosted = (trackers['selfhosted_analytics_codes'] ?? []).map((code) =>
    selfHostedCounter(code, domain),
  );
  return {
    head: [...all(inHead), ...selfHosted].join('\n'),
    body: [...all(inBody), ...counters(trackers)].join('\n'),
  };
}

function selfHostedCounter(code: string, domain: string): string {
  return script(`
var _paq = window._paq = window._paq || [];
_paq.push(['trackPageView']);
_paq.push(['enableLinkTracking']);
(function() {
  var u="//stats.${domain}/";
  _paq.push(['setTrackerUrl', u+'matomo.php']);
  _paq.push(['setSiteId', '${code}']);
  var d=document, g=d.createElement('script'), s=d.getElementsByTagName('script')[0];
  g.async=true; g.src=u+'matomo.js'; s.parentNode.insertBefore(g,s);
})();
`);
}

/** A project and what secures it stand together, the first with the first. */
function counters(trackers: Readonly<Record<string, readonly string[]>>): string[] {
  const securities = trackers['counter_security_codes'] ?? [];
  const projects = trackers['counter_project_codes'] ?? [];
  const length = Math.max(projects.length, securities.length);
  return Array.from({ length }, (_, at) => {
    const lines = [
      ...(projects[at] === undefined ? [] : [`var sc_project=${projects[at]};`]),
      'var sc_invisible=1;',
      ...(securities[at] === undefined ? [] : [`var sc_security="${securities[at]}";`]),
    ];
    return `${script(`\n${lines.join('\n')}\n`)}
<script src="https://www.statcounter.com/counter/counter.js" async></script>`;
  });
}
