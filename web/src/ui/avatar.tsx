import { useState } from 'react';
import { Picture } from './picture.js';
import { inkOfName, initialsOf, textOn } from './sound/inks.js';

export function Avatar({ name, url, size = 36 }: { name: string; url?: string | null; size?: number }) {
  const [broken, setBroken] = useState<string | null>(null);
  const ground = inkOfName(name);
  const box = { width: size, height: size };
  if (url && url !== broken) {
    return (
      <Picture
        sizes={`${size}px`}
        address={url}
        style={box}
        className="flex-none rounded-full object-cover"
        onLost={() => {
          console.warn('The avatar could not be loaded; showing initials instead.');
          setBroken(url);
        }}
      />
    );
  }
  return (
    <span
      aria-hidden="true"
      style={{ ...box, background: ground, color: textOn(ground), fontSize: Math.round(size * 0.38) }}
      className="grid flex-none place-content-center rounded-full font-bold leading-none"
    >
      {initialsOf(name)}
    </span>
  );
}
