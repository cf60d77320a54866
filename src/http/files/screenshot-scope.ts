/** Pictures under `/screenshot_image`, for whoever has a link. The link is judged before anything is looked up. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Problem } from '../../model/problem.ts';
import { readPixels } from '../../product/screenshot/image-size.ts';
import { SizedImages } from '../../product/screenshot/sized-images.ts';
import type { ImageStore } from '../../store/image-store.ts';
import { linkDialect } from '../batch/link-dialect.ts';
import { speak } from '../dialect.ts';
import { sendExact } from '../send-exact.ts';
import type { ScreenshotLinks } from './screenshot-links.ts';

export interface ScreenshotScopeNeeds {
  readonly images: Pick<ImageStore, 'findImage'>;
  readonly links: ScreenshotLinks;
}

const pixels = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));
const imageSchema = {
  operationId: 'getScreenshotImage',
  tags: ['Screenshots'],
  summary: 'Downloads a screenshot by its link',
  security: [],
  querystring: Type.Object({
    domain: Type.String(),
    ts: Type.String(),
    rurl: Type.String(),
    token: Type.String(),
    resize_width: pixels('shrinks a wider image to this width'),
    crop_height: pixels('cuts a higher image at the bottom, after it was shrunk'),
  }),
  produces: ['image/png'],
  response: {
    200: Type.Any({ description: 'the image' }),
    304: Type.Any({ description: 'what the client has is the image' }),
  },
};

const headers = {
  // An image of a time does not change, but is not for everybody on the way.
  'cache-control': 'private, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  // Pages of other hosts show it: who has the link may.
  'cross-origin-resource-policy': 'cross-origin',
  'content-disposition': 'inline; filename="screenshot.png"',
};

export function screenshotScope({ images, links }: ScreenshotScopeNeeds) {
  const sized = new SizedImages();
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const { domain, capturedMs, wishes } = links.getTarget(request.originalUrl);
    const resizeWidth = findPixels(wishes, 'resize_width');
    const cropHeight = findPixels(wishes, 'crop_height');
    const kept = await images.findImage(domain, capturedMs);
    if (!kept) throw new Problem('not-found', 'The image is no longer kept.');
    const image = await sized.get(kept, { resizeWidth, cropHeight });
    const etag = `"${kept.pixelHash}-${image.width}x${image.height}"`;
    reply.headers({ ...headers, etag });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    if (request.method === 'HEAD') reply.header('content-length', image.bytes.length);
    return sendExact(reply, image.mimetype, request.method === 'HEAD' ? '' : image.bytes);
  };

  return async (scope: FastifyInstance) => {
    speak(scope, linkDialect);
    scope.setValidatorCompiler(() => () => true);
    const config = { access: 'open', operation: 'getScreenshotImage', scope: 'files' } as const;
    scope.route({ method: 'GET', url: '', config, schema: imageSchema, handler: send });
    scope.route({ method: 'HEAD', url: '', config, schema: { hide: true }, handler: send });
  };
}

function findPixels(wishes: URLSearchParams, name: string): number | undefined {
  const [text, ...others] = wishes.getAll(name);
  if (text === undefined) return undefined;
  return readPixels(others.length === 0 ? text : '', name);
}
