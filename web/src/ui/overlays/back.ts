import { useEffect, useLayoutEffect, useRef } from 'react';
import { type Location, useLocation, useNavigate, useNavigationType } from 'react-router-dom';

/** Functions that close the open overlays; the newest is last. */
const overlays: (() => void)[] = [];

/**
 * The `placeKey` of the page below an overlay, if this is an overlay's history entry; undefined for a page's own entry.
 */
const coveredBy = ({ state }: Location): string | undefined =>
  (state as { covers?: string } | null)?.covers ?? undefined;

/**
 * A key that a page shares with overlays over it. The first page of a visit has no key of its own, so its address is
 * used.
 */
export const placeKey = (location: Location): string =>
  coveredBy(location) ?? (location.key === 'default' ? location.pathname + location.search : location.key);

function useCover(): () => void {
  const location = useLocation();
  const navigate = useNavigate();
  return () => {
    const state = { ...(location.state as object | null), covers: placeKey(location) };
    void navigate(location, { state, preventScrollReset: true });
  };
}

export function useBackCloses(open: boolean, onClose: () => void): void {
  const covered = coveredBy(useLocation()) !== undefined;
  const cover = useCover();
  const latest = useRef({ onClose, covered, cover });
  useLayoutEffect(() => {
    latest.current = { onClose, covered, cover };
  });
  // Runs before the overlay is painted, because a visitor may press Back as soon as the overlay is visible.
  useLayoutEffect(() => {
    if (!open) return;
    const close = () => latest.current.onClose();
    overlays.push(close);
    // An overlay that closes without Back leaves its history entry to the next overlay. Removing the entry would race
    // with the link or button that closed the overlay.
    if (!latest.current.covered) latest.current.cover();
    return () => void overlays.splice(overlays.indexOf(close), 1);
  }, [open]);
}

/** Handles Back at the history entry of an overlay: closes the newest overlay, or skips the entry if none is open. */
export function useBackOverPage(): void {
  const location = useLocation();
  const kind = useNavigationType();
  const navigate = useNavigate();
  const cover = useCover();
  const before = useRef(location);
  useEffect(() => {
    const from = before.current;
    before.current = location;
    if (from === location) return;
    const covers = coveredBy(from);
    if (covers === undefined) return;
    if (kind === 'REPLACE' && coveredBy(location) === undefined) {
      // Replacing the address, as tabs do, loses `covers`. The history entry must still count as an overlay's entry.
      const state = { ...(location.state as object | null), covers };
      return void navigate(location, { replace: true, state, preventScrollReset: true });
    }
    if (kind !== 'POP' || covers !== placeKey(location)) return;
    const close = overlays.at(-1);
    if (!close) return void navigate(-1);
    // Adds the overlay's history entry again, because an overlay may stay open, such as a form that asks before it
    // loses changes.
    cover();
    close();
  });
}
