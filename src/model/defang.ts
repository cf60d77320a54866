/** Indicators that no program makes a link of: `login[.]example`, `hxxps[://]login[.]example`, `owner[@]mail[.]example`. */
export function defang(text: string): string {
  return text
    .replaceAll(/http(?=s?:)/gi, 'hxxp')
    .replaceAll('://', '[://]')
    .replaceAll(/(?<=[\p{L}\p{N}_*-])\.(?=[\p{L}\p{N}_-])/gu, '[.]')
    .replaceAll('@', '[@]');
}
