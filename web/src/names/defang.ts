/** Indicators made safe to pass on (defanged), and made whole again. */

/** `hxxps[://]login[.]example`: no program makes a link of it. */
export const defang = (text: string): string =>
  text.replace(/^http/i, 'hxxp').replaceAll('://', '[://]').replaceAll('.', '[.]').replaceAll('@', '[@]');

/** The usual ways of defanging, undone. */
export const refang = (text: string): string =>
  text
    .replaceAll(/\[:\/\/\]/g, '://')
    .replaceAll(/\[(?:\.|dot)\]|\((?:\.|dot)\)|\{(?:\.|dot)\}/gi, '.')
    .replaceAll(/\[(?:@|at)\]|\((?:@|at)\)/gi, '@')
    .replaceAll(/\[:\]/g, ':')
    .replaceAll(/\[\/\]/g, '/')
    .replace(/^(?:h[x*]{2}p|meow)(s?)(?=:)/i, 'http$1')
    .replace(/^fxp(s?)(?=:)/i, 'ftp$1');
