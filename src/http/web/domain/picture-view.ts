/** Pictures as the web UI reads them, and where it finds them: on this server, by session. */
import type { Static } from 'typebox';
import type { PictureState } from '../../../product/screenshot/picture-state.ts';
import type { Screenshot } from '../../../store/image-store.ts';
import type { Picture } from '../detect/domain-wire.ts';

type PictureKey = Pick<Screenshot, 'domain' | 'capturedMs'>;

/** `1763275000000-example.com` */
export function pictureId({ domain, capturedMs }: PictureKey): string {
  return `${capturedMs}-${domain}`;
}

export function findPictureKey(id: string): PictureKey | undefined {
  const [, capturedMs, domain] = /^(\d{1,15})-([a-z0-9_.-]{1,253})$/.exec(id) ?? [];
  return capturedMs === undefined || domain === undefined
    ? undefined
    : { domain, capturedMs: Number(capturedMs) };
}

/** Takes `width` and `height`. */
export function picturePath(key: PictureKey): string {
  return `/ui/api/pictures/${pictureId(key)}`;
}

export function pictureView(state: PictureState): Static<typeof Picture> {
  if (state.state === 'taken') {
    const { capturedMs, ipAddress, perceptualHash } = state.screenshot;
    return {
      state: 'taken',
      at: new Date(capturedMs).toISOString(),
      ...(ipAddress === undefined ? {} : { ip: ipAddress }),
      path: picturePath(state.screenshot),
      ...(perceptualHash === undefined ? {} : { hash: perceptualHash }),
    };
  }
  if (!('error' in state)) return { state: state.state };
  return { state: state.state, since: new Date(state.sinceMs).toISOString(), error: state.error };
}
