import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { query } from '../api/api.js';
import { useToBuy } from '../downloads/owned.js';
import { useDownload } from '../downloads/use-download.js';
import { kept, keep } from '../kept.js';
import { paths } from '../paths.js';
import { useSession } from '../session/session.js';
import { Sticker } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Checkbox } from '../ui/forms/field.js';
import { countOf } from '../ui/format.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { notifyOf } from '../ui/overlays/toast.js';
import { Cover, coverOf } from '../ui/sound/cover.js';
import { copyToMine, exportOf, saveNow, useKept } from './saving.js';
import { type Bench, samplesOf } from './song.js';
import { currentBench } from './workbench.js';

const FORMATS = [
  { id: 'dawproject', name: 'DAWproject', what: 'Bitwig, Studio One, Cubase' },
  { id: 'rpp', name: 'REAPER', what: 'Tracks, warps, transposition' },
  { id: 'zip', name: 'Files only', what: 'Originals under your names' },
] as const;
type Format = (typeof FORMATS)[number];

const FORMAT_KEY = 'export-format';

/** The samples of a workbench, and what they cost this visitor. */
export function useCosts(bench: Bench) {
  const samples = samplesOf(bench);
  return { samples, ...useToBuy(samples) };
}

/** "Buy 5 and export". @param props.and the text between the number and "export", such as " and" */
function BuyLabel({ bench, and }: { bench: Bench; and: string }) {
  const { toBuy, costCredits } = useCosts(bench);
  if (toBuy.length === 0) return 'Export';
  return (
    <>
      Buy {toBuy.length}
      {and} export
      <Sticker tone="ink" label={countOf(costCredits, 'credit')}>
        {costCredits}
      </Sticker>
    </>
  );
}

function PriceCard({ costCredits }: { costCredits: number }) {
  const signedIn = useSession().status === 'signed-in';
  const { data } = useQuery({ ...query('GET /api/credits'), enabled: signedIn });
  return (
    <div className="cut-corner-28 bg-sticker p-4 text-on-sticker" role="status">
      <p className="font-semibold">To buy</p>
      <p className="display mt-3 text-6xl">{countOf(costCredits, 'credit')}</p>
      {data && (
        <p className="mt-3 flex justify-between border-t border-on-sticker pt-2 text-sm">
          You have {data.balance.toLocaleString('en')}
          {costCredits > 0 && (
            <b>
              {data.balance >= costCredits
                ? `${(data.balance - costCredits).toLocaleString('en')} after`
                : `${(costCredits - data.balance).toLocaleString('en')} missing`}
            </b>
          )}
        </p>
      )}
    </div>
  );
}

function FormatChoice({ value, onChange }: { value: Format; onChange: (format: Format) => void }) {
  const name = useId();
  return (
    <fieldset className="grid gap-1.5">
      <legend className="display mb-2 text-lg">Export for</legend>
      {FORMATS.map((format) => (
        <label
          key={format.id}
          className="grid min-h-13 grid-cols-[20px_1fr_auto] items-center gap-x-2.5 border border-line px-3 py-1.5 has-checked:border-text has-checked:bg-hover has-focus-visible:outline-2"
        >
          <input
            type="radio"
            name={name}
            className="row-span-2 size-4 outline-none"
            checked={format === value}
            onChange={() => onChange(format)}
          />
          <b>{format.name}</b>
          <span className="mono text-faint">.{format.id}</span>
          <span className="col-span-2 col-start-2 text-sm text-muted">{format.what}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Exports the workbench on screen. A shared one is copied first, because only the visitor's own can be exported. */
function useExport() {
  const { exportWorkbench } = useDownload();
  const navigate = useNavigate();
  const { place } = useKept();
  return useMutation({
    mutationFn: async ({ format, tagged }: { format: Format; tagged: boolean }) => {
      if (!(await (place === 'shared' ? copyToMine() : saveNow())))
        throw new Error('The workbench is not saved.');
      if (place === 'shared') void navigate(paths.workbench);
      const bench = currentBench();
      if (!bench) return false;
      return exportWorkbench(exportOf(bench, { format: format.id, tagged }));
    },
    onError: notifyOf('It was not exported'),
  });
}

/**
 * The price of the samples that the visitor does not own yet, and the button that buys them and exports the workbench.
 */
export function TakeHome({ bench }: { bench: Bench }) {
  const { samples, toBuy, costCredits } = useCosts(bench);
  const [format, setFormat] = useState<Format>(
    FORMATS.find(({ id }) => id === kept(FORMAT_KEY)) ?? FORMATS[0],
  );
  const [tagged, setTagged] = useState(true);
  const { mutate, isPending } = useExport();
  const { place } = useKept();
  const ownFiles = bench.lanes.filter(({ own }) => own).length;
  return (
    <div className="grid content-start gap-4">
      <PriceCard costCredits={costCredits} />
      {toBuy.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {toBuy.map((sample) => (
            <Cover key={sample.id} {...coverOf(sample)} size="small" className="w-10.5" />
          ))}
        </div>
      )}
      <dl className="grid grid-cols-[1fr_auto] gap-y-1.5">
        <dt className="text-muted">In this workbench</dt>
        <dd className="text-right font-semibold">{countOf(samples.length, 'sound')}</dd>
        <dt className="text-muted">Already yours</dt>
        <dd className="text-right font-semibold">
          {samples.length > toBuy.length ? `−${samples.length - toBuy.length}` : 0}
        </dd>
        <dt className="border-t-2 border-text pt-1.5 font-semibold">To buy</dt>
        <dd className="border-t-2 border-text pt-1.5 text-right font-semibold">
          {countOf(toBuy.length, 'sound')}
        </dd>
      </dl>
      <FormatChoice
        value={format}
        onChange={(next) => {
          setFormat(next);
          keep(FORMAT_KEY, next.id);
        }}
      />
      <Checkbox
        className="text-muted"
        label="Tagged copies beside the originals"
        checked={tagged}
        onChange={({ target }) => setTagged(target.checked)}
      />
      <Button
        tone="primary"
        size="large"
        className="w-full"
        data-action="export"
        disabled={samples.length === 0}
        busy={isPending}
        icon={<Download size={17} />}
        onClick={() => mutate({ format, tagged })}
      >
        <BuyLabel bench={bench} and=" and" />
      </Button>
      <p className="text-sm text-muted">
        Muted sounds are bought too.
        {place === 'shared' && ' A copy is kept in your workbenches.'}
        {ownFiles > 0 &&
          ` ${countOf(ownFiles, 'file')} of your own ${ownFiles === 1 ? 'is' : 'are'} left out.`}
      </p>
    </div>
  );
}

/** Below 1280 px, a button opens the price as a sheet. */
export function TakeHomeButton({ bench }: { bench: Bench }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        tone="primary"
        className="min-h-11 px-3.5"
        disabled={bench.lanes.length === 0}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <BuyLabel bench={bench} and="," />
      </Button>
      {open && (
        <Dialog open shape="sheet" title="Take it home" onClose={() => setOpen(false)}>
          <TakeHome bench={bench} />
        </Dialog>
      )}
    </>
  );
}
