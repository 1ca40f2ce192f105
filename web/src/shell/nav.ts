import { Compass, Disc3, AudioLines, Layers, Library } from 'lucide-react';
import type { Location } from 'react-router-dom';
import { paths } from '../paths.js';

/** The four sections of the header. */
export const NAV = [
  { to: paths.sounds, label: 'Sounds', Icon: AudioLines },
  { to: paths.discover, label: 'Discover', Icon: Compass },
  { to: paths.collections, label: 'Collections', Icon: Layers },
  { to: paths.swipe, label: 'Swipe', Icon: Disc3 },
] as const;

/** The tab bar of phones adds the library. */
export const TABS = [...NAV, { to: '/library', label: 'Library', Icon: Library }] as const;

/** Whether a page belongs to a section. Packs belong to Sounds, or to Collections if the visitor came from there. */
export function isCurrentSection(
  to: string,
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
): boolean {
  if (pathname === to) return true;
  const fromCollections = new URLSearchParams(search).get('back') === 'collections';
  if (pathname.startsWith('/pack/')) return to === (fromCollections ? paths.collections : paths.sounds);
  return pathname.startsWith('/collection/') && to === paths.collections;
}
