/** Downloads screenshots under `/screenshot_image` by signed link. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import { parsePixels } from '../../product/screenshot/image-size.ts';
import { SizedImages } from '../../product/screenshot/sized-images.ts';
import type { ImageStore } from '../../store/image-store.ts';
import { split } from '../address.ts';
import { setDialect } from '../dialect.ts';
import { linkDialect } from '../links/link-dialect.ts';
import { searchParams } from '../query-string.ts';
import { sendExact } from '../send-exact.ts';
import type { ScreenshotLinks } from './screenshot-links.ts';

export interface ScreenshotScopeNeeds {
  readonly images: Pick<ImageStore, 'findImage'>;
  readonly links: ScreenshotLinks;
  readonly clock: Clock;
}

const pixels = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));
const imageSchema = {
  operationId: 'getScreenshotImage',
  tags: ['Screenshots'],
  summary: 'Downloads a screenshot by its link',
  description:
    'The link is the member `src` of a screenshot in a record; it needs no key. Two parameters may be added to it.',
  security: [],
  querystring: Type.Object({
    domain: Type.String(),
    ts: Type.String(),
    rurl: Type.String(),
    token: Type.String(),
    resize_width: pixels('shrinks a wider image to this width'),
    crop_height: pixels('crops a taller image at the bottom, after shrinking'),
  }),
  produces: ['image/png'],
  response: {
    200: Type.Any({ description: 'the image' }),
    304: Type.Any({ description: 'the client already has the image' }),
  },
};

const headers = {
  // The image of a point in time never changes, but shared caches must not store it.
  'cache-control': 'private, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  // Pages of other origins may embed it: the link is the permission.
  'cross-origin-resource-policy': 'cross-origin',
  'content-disposition': 'inline; filename="screenshot.png"',
};

export function screenshotScope({ images, links, clock }: ScreenshotScopeNeeds) {
  const sized = new SizedImages();
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const { domain, capturedMs } = links.getTarget(request.originalUrl, clock.now());
    const parameters = searchParams(split(request.originalUrl).query);
    const resizeWidth = findPixels(parameters, 'resize_width');
    const cropHeight = findPixels(parameters, 'crop_height');
    const stored = await images.findImage(domain, capturedMs);
    if (!stored) throw new Problem('not-found', 'The image is no longer stored.');
    const image = await sized.get(stored, { resizeWidth, cropHeight });
    const etag = `"${stored.pixelHash}-${image.width}x${image.height}"`;
    reply.headers({ ...headers, etag });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    if (request.method === 'HEAD') reply.header('content-length', image.bytes.length);
    return sendExact(reply, image.mimetype, request.method === 'HEAD' ? '' : image.bytes);
  };

  return async (scope: FastifyInstance) => {
    setDialect(scope, linkDialect);
    scope.setValidatorCompiler(() => () => true);
    const config = { access: 'open', operation: 'getScreenshotImage', scope: 'files' } as const;
    scope.route({ method: 'GET', url: '', config, schema: imageSchema, handler: send });
    scope.route({ method: 'HEAD', url: '', config, schema: { hide: true }, handler: send });
  };
}

function findPixels(parameters: URLSearchParams, name: string): number | undefined {
  const [text, ...others] = parameters.getAll(name);
  if (text === undefined) return undefined;
  return parsePixels(others.length === 0 ? text : '', name);
}
