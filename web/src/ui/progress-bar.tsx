/** A bar that fills while something runs. @param share 0 to 1 */
export function ProgressBar({ label, share }: { label: string; share: number }) {
  const percent = Math.round(share * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-2.5 flex-1 bg-hover"
    >
      <span
        className="block h-full bg-mark cut-end-10 [transition:width_240ms_var(--ease)]"
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}
