/** `Firefox 145 on Linux` out of what a browser sends about itself. */
const browsers: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[^ ]* (?:Mobile\/\S+ )?Safari\//],
];
const systems: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Undefined for one that is not known, such as a program. */
export function agentWords(agent: string): string | undefined {
  for (const [browser, form] of browsers) {
    const version = form.exec(agent)?.[1];
    if (version === undefined) continue;
    const system = systems.find(([, known]) => known.test(agent))?.[0];
    return `${browser} ${version}${system === undefined ? '' : ` on ${system}`}`;
  }
  return undefined;
}
