/** What the graph shows now, as a picture. */
import type { Sigma } from 'sigma';

const layers = ['edges', 'nodes', 'labels'] as const;

export function pngOf(sigma: Sigma, background: string): Promise<Blob> {
  // The buffers of WebGL last until the browser shows them: they are drawn anew and read at once.
  sigma.refresh();
  const canvases = sigma.getCanvases();
  const { width, height } = canvases['nodes'] as HTMLCanvasElement;
  const picture = document.createElement('canvas');
  Object.assign(picture, { width, height });
  const context = picture.getContext('2d') as CanvasRenderingContext2D;
  context.fillStyle = background;
  context.fillRect(0, 0, width, height);
  for (const layer of layers) {
    const canvas = canvases[layer];
    if (canvas) context.drawImage(canvas, 0, 0, width, height);
  }
  return new Promise((resolve, reject) =>
    picture.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('toBlob'))), 'image/png'),
  );
}
