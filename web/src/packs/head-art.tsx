import './head-art.css';
import { PACK_COVER_SIZES } from '../../../application/media/values.js';
import { Picture } from '../ui/picture.js';

/** Artwork behind the right end of a page's head. The head needs the class `relative`, and its text a `z-index`. */
export function HeadArt({ address, className }: { address: string | null | undefined; className?: string }) {
  if (!address) return null;
  return (
    <span className={`pack-art ${className ?? ''}`} aria-hidden="true">
      <Picture sizes={PACK_COVER_SIZES} address={address} />
    </span>
  );
}
