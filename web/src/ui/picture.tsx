import { type ImgHTMLAttributes, useRef, useState } from 'react';
import { mediaAddress, srcSetOf } from '../../../application/media/values.js';
import { mediaBase } from '../api/page-settings.js';

type Shown = Omit<ImgHTMLAttributes<HTMLImageElement>, 'src' | 'srcSet' | 'alt' | 'onError'>;

/**
 * A picture without a text of its own: from where media are fetched, and where that does not have it, from this site.
 * @param onLost neither has it
 */
export function Picture({ address, onLost, ...shown }: Shown & { address: string; onLost?: () => void }) {
  const [missing, setMissing] = useState<string | null>(null);
  const base = missing === address ? '' : mediaBase();
  const src = mediaAddress(address, base);
  const fail = () => (src === address ? onLost?.() : setMissing(address));
  const isNew = useRef(true);
  /** Where the server drew the page, it may have failed before anybody listened. */
  const meet = (element: HTMLImageElement | null): void => {
    if (element && isNew.current && element.complete && element.naturalWidth === 0) fail();
    isNew.current = false;
  };
  return <img {...shown} ref={meet} srcSet={srcSetOf(address, base)} src={src} alt="" onError={fail} />;
}
