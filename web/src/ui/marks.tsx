/** The logo: a record sleeve with a clipped corner. Decorative, because the name stands beside it. */
export function Mark({ size = 29 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className="flex-none">
      <path d="M1 6h15.5L26 15.5V31H1z" fill="var(--text)" />
      <path d="M19 1h12v12z" fill="var(--accent)" />
    </svg>
  );
}

export function Logo() {
  return (
    <span className="flex items-center gap-2.5">
      <Mark />
      <span className="wordmark display">Offcut</span>
    </span>
  );
}

const icon = (path: string) =>
  function Icon({ size = 18 }: { size?: number }) {
    return (
      <svg viewBox="0 0 18 18" width={size} height={size} aria-hidden="true" fill="currentColor">
        <path d={path} />
      </svg>
    );
  };
export const PlayIcon = icon('M4.5 1.2 14.6 9 4.5 16.8z');
export const PauseIcon = icon('M3.5 2h4v14h-4zM10.5 2h4v14h-4z');
