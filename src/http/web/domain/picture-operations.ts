/** The pictures of a domain, those of others that look alike, and the images themselves. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { isTelling } from '../../../model/picture/difference-hash.ts';
import { Problem } from '../../../model/problem.ts';
import { getDomainName } from '../../../product/investigate/requested-domain.ts';
import { findPictures, type PictureNeeds } from '../../../product/screenshot/picture-state.ts';
import { SizedImages } from '../../../product/screenshot/sized-images.ts';
import type { DomainStore } from '../../../store/domain-store.ts';
import type { ImageStore, Screenshot } from '../../../store/image-store.ts';
import { sendExact } from '../../send-exact.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { DomainParams, namesOf } from './overview-operation.ts';
import { findPictureKey, pictureId, picturePath, pictureView } from './picture-view.ts';
import { DomainPictures } from './picture-wire.ts';

export interface PictureOperationNeeds extends PictureNeeds {
  readonly images: PictureNeeds['images'] & Pick<ImageStore, 'listCaptures' | 'listAlike' | 'findImage'>;
  readonly domains: Pick<DomainStore, 'findRecords'>;
}

const capturesMax = 50;
const alikeMax = 24;

export function pictureOperations(needs: PictureOperationNeeds): readonly WebOperation[] {
  return [listOperation(needs), imageOperation(needs)];
}

function listOperation(needs: PictureOperationNeeds): WebOperation {
  return defineWebOperation({
    method: 'GET',
    path: '/domains/:name/pictures',
    access: 'read',
    product: 'intel-enrich',
    charge: 'page',
    summary: 'All pictures of a domain, and domains that look alike',
    params: DomainParams,
    answer: DomainPictures,
    handle: async ({ params }) => {
      const name = getDomainName('name', params.name);
      const captures = await needs.images.listCaptures(name, capturesMax + 1);
      const [state] = await findPictures([name], needs);
      const [record] = await needs.domains.findRecords([name]);
      const firstSeenMs = record?.first_seen === undefined ? 0 : Date.parse(record.first_seen);
      const alike = await listAlike(captures[0], needs);
      return {
        ...namesOf(name),
        picture: pictureView(state ?? { state: 'none' }),
        captures: captures.slice(0, capturesMax).map((capture) => captureView(capture, firstSeenMs)),
        more: captures.length > capturesMax,
        alike: alike.map((picture) => ({
          ...namesOf(picture.domain),
          at: new Date(picture.capturedMs).toISOString(),
          path: picturePath(picture),
          hash: picture.perceptualHash,
          distance: picture.distance,
        })),
      };
    },
  });
}

/** An empty page resembles too many others. */
async function listAlike(newest: Screenshot | undefined, { images }: PictureOperationNeeds) {
  const hash = newest?.perceptualHash;
  if (!newest || hash === undefined || !isTelling(hash)) return [];
  const alike = await images.listAlike(hash, alikeMax + 1);
  return alike.filter(({ domain }) => domain !== newest.domain).slice(0, alikeMax);
}

function captureView(capture: Screenshot, firstSeenMs: number): DomainPictures['captures'][number] {
  const { capturedMs, seenMs, attemptedMs, ipAddress, url, width, height, perceptualHash } = capture;
  const [relationship, text] = relationshipOf(capture, firstSeenMs);
  return {
    id: pictureId(capture),
    at: new Date(capturedMs).toISOString(),
    last_seen: new Date(seenMs).toISOString(),
    last_attempt: new Date(attemptedMs).toISOString(),
    ip: ipAddress ?? null,
    url,
    width,
    height,
    hash: perceptualHash ?? null,
    path: picturePath(capture),
    relationship,
    text,
  };
}

/** How the three times are to be read together, as `docs/api/screenshots.md` numbers it. */
function relationshipOf(
  { capturedMs, seenMs, attemptedMs }: Screenshot,
  firstSeenMs: number,
): readonly [number: number, text: string] {
  if (capturedMs < firstSeenMs) return [5, 'from an earlier registration of the domain'];
  const isSeenAgain = seenMs > capturedMs;
  const hasFailed = attemptedMs > seenMs;
  if (isSeenAgain && hasFailed) return [4, 'the page looked the same later; the last attempt failed'];
  if (hasFailed) return [3, 'taken once; the last attempt failed'];
  if (isSeenAgain) return [2, 'the page looked the same at the last attempt'];
  return [1, 'taken once'];
}

const Pixels = Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 }));

const imageHeaders = {
  // The image of a point in time never changes, but shared caches must not store it.
  'cache-control': 'private, max-age=31536000, immutable',
  'content-disposition': 'inline; filename="screenshot.png"',
};

function imageOperation({ images }: PictureOperationNeeds): WebOperation {
  const sized = new SizedImages();
  const send = async (
    id: string,
    size: { readonly width?: number; readonly height?: number },
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const key = findPictureKey(id);
    const stored = key && (await images.findImage(key.domain, key.capturedMs));
    if (!stored) throw new Problem('not-found', 'The image is no longer stored.');
    const image = await sized.get(stored, { resizeWidth: size.width, cropHeight: size.height });
    const etag = `"${stored.pixelHash}-${image.width}x${image.height}"`;
    reply.headers({ ...imageHeaders, etag });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return sendExact(reply, image.mimetype, image.bytes);
  };
  return defineWebOperation({
    method: 'GET',
    path: '/pictures/:id',
    access: 'read',
    summary: 'A picture, shrunk to a width and cropped to a height where those are given',
    params: Type.Object({ id: Type.String({ maxLength: 300 }) }),
    query: Type.Object({ width: Pixels, height: Pixels }),
    respond: ({ params, query, request, reply }) => send(params.id, query, request, reply),
  });
}
