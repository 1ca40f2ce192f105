import { Segmented } from '../../ui/tabs.js';
import { setTheme, useTheme } from '../../ui/theme.js';

const THEMES = [
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
] as const;

/** Dark or light, for this browser. */
export function AppearancePanel() {
  const theme = useTheme();
  return (
    <section aria-labelledby="appearance-title" className="panel flex items-center justify-between gap-4 p-5">
      <h2 id="appearance-title" className="text-md font-semibold">
        Appearance
      </h2>
      <Segmented options={THEMES} value={theme} onChange={setTheme} label="Theme" />
    </section>
  );
}
