/** The image library, loaded when it is first needed. It would keep up to 50 MB of decoded pixels, which are rarely needed again. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  return sharp;
}
