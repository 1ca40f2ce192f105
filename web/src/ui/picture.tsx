import { type ImgHTMLAttributes, useRef, useState } from 'react';
import { mediaAddress, srcSetOf } from '../../../application/media/values.js';
import { mediaBase } from '../api/page-settings.js';

type Shown = Omit<ImgHTMLAttributes<HTMLImageElement>, 'src' | 'srcSet' | 'alt' | 'onError'>;

/** A decorative picture from the media origin, or from this site if that fails. @param onLost called if both fail */
export function Picture({ address, onLost, ...shown }: Shown & { address: string; onLost?: () => void }) {
  const [missing, setMissing] = useState<string | null>(null);
  const base = missing === address ? '' : mediaBase();
  const src = mediaAddress(address, base);
  const fail = () => (src === address ? onLost?.() : setMissing(address));
  const isNew = useRef(true);
  /** A server-rendered picture may have failed before React attached `onError`. */
  const meet = (element: HTMLImageElement | null): void => {
    if (element && isNew.current && element.complete && element.naturalWidth === 0) fail();
    isNew.current = false;
  };
  return <img {...shown} ref={meet} srcSet={srcSetOf(address, base)} src={src} alt="" onError={fail} />;
}
