import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { Sample, SampleDetail } from '../../../../application/catalogue/contract.js';
import { query } from '../../api/api.js';
import { apiAddress } from '../../api/transport/backend.js';
import { ApiProblem, messageOf } from '../../api/transport/http.js';
import { useOwned } from '../../downloads/owned.js';
import { useDownload } from '../../downloads/use-download.js';
import {
  BackLink,
  Gone,
  HeadActions,
  HeadDownload,
  HeadSave,
  PageHead,
  PageHeadSkeleton,
} from '../../packs/page-head.js';
import { packPathOf, paths } from '../../paths.js';
import { PlayButton } from '../../player/play-button.js';
import { ORIGIN_LABELS, previewSeconds } from '../../../../application/catalogue/values.js';
import { SeekableWaveform } from '../../player/seekable-waveform.js';
import { SampleList, SampleListSkeleton } from '../../samples/sample-list.js';
import { useSaveToggle } from '../../samples/saved.js';
import { useSession } from '../../session/session.js';
import { PageTitle } from '../../shell/page-frame.js';
import { formatBytes, formatDuration, titleBy } from '../../ui/format.js';
import { TryButton } from '../../workbench/try-button.js';
import { Section } from '../../ui/section.js';
import { coverOf } from '../../ui/sound/cover.js';
import { KeyLabel, TempoLabel } from '../../ui/sound/key-tempo.js';
import { Ruler } from '../../ui/sound/ruler.js';
import { QueryFailure } from '../../ui/states.js';

const HEADING = 'display mb-3 text-3xl';

function Listen({ sample, queue }: { sample: Sample; queue: readonly Sample[] }) {
  if (!sample.previewUrl) return <p className="mt-6 text-warn">Audio unavailable</p>;
  return (
    <div className="mt-6 flex items-center gap-4">
      <PlayButton
        sound={sample}
        queue={queue}
        size={20}
        className="play-button size-12 flex-none bg-accent text-on-accent hover:bg-accent-hover"
      />
      <div className="min-w-0 flex-1">
        <SeekableWaveform sound={sample} queue={queue} minHeight={6} className="h-14 w-full" />
        <Ruler seconds={previewSeconds(sample)} />
      </div>
      <span className="narrow text-muted">{formatDuration(sample.durationMs)}</span>
    </div>
  );
}

function Actions({ sample }: { sample: Sample }) {
  const { download } = useDownload();
  const owned = useOwned(sample);
  const isOwn = useSession().user?.id === sample.creator.id;
  return (
    <HeadActions embed={{ kind: 'sample', id: sample.id, title: titleBy(sample.title, sample.creator) }}>
      <HeadDownload
        owned={owned}
        costCredits={owned || isOwn ? 0 : sample.creditCost}
        disabled={!sample.previewUrl}
        onClick={() => download(sample, 'list')}
      >
        {owned ? 'Download again' : 'Download'}
      </HeadDownload>
      <HeadSave {...useSaveToggle(sample, 'list')} />
      <TryButton samples={[sample]} about={sample.title} outlined className="size-11! max-md:size-12!" />
    </HeadActions>
  );
}

const KINDS = { loop: 'Loop', 'one-shot': 'One-shot', take: 'Take' } as const;
const CHANNELS = ['', 'mono', 'stereo'];

function fileOf({ format, sampleRateHz, channels, sizeBytes }: SampleDetail): string {
  const rate = `${(sampleRateHz / 1_000).toLocaleString('en')} kHz`;
  const width = CHANNELS[channels] ?? `${channels} channels`;
  return [format.toUpperCase(), rate, width, formatBytes(sizeBytes)].join(', ');
}

function Facts({ sample }: { sample: SampleDetail }) {
  const { key, bpm, kind, durationMs, instruments, genre, mood, hasMidi, hasStems, origin } = sample;
  const rows: [string, ReactNode][] = [
    ['Key', <KeyLabel key="key" musicalKey={key} />],
    ['Tempo', <TempoLabel key="tempo" bpm={bpm} />],
    ['Kind', `${KINDS[kind]}, ${formatDuration(durationMs)}`],
    ['Instruments', instruments.join(', ') || '–'],
    ['Genre and mood', `${genre}, ${mood.toLowerCase()}`],
    ['Origin', origin ? ORIGIN_LABELS[origin] : 'Not stated by its creator'],
    ['File', fileOf(sample)],
    ...(hasMidi ? [['MIDI', 'Comes with the download'] as [string, string]] : []),
    ...(hasStems ? [['Stems', 'Come with the download, with the Studio plan'] as [string, string]] : []),
  ];
  return (
    <Section title="About this sound" heading={HEADING}>
      <dl className="grid grid-cols-[minmax(110px,auto)_minmax(0,1fr)] border-t border-line">
        {rows.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="border-b border-line py-2.5 pr-6 text-muted">{label}</dt>
            <dd className="m-0 border-b border-line py-2.5">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Licence({ sample }: { sample: SampleDetail }) {
  const { certificateId, creator } = sample;
  return (
    <Section title="Licence" heading={HEADING}>
      <div className="grid gap-2.5 border-t border-line pt-3">
        <p>
          Royalty-free. Use it in your own music, films, games and performances, and publish and sell them
          anywhere. You may not sell or share the sound by itself.
        </p>
        <p>
          {creator.aiTraining
            ? 'Its creator allows AI training with it.'
            : 'Not for training models that generate sound or music.'}
        </p>
        {certificateId ? (
          <p>
            Your certificate proves it:{' '}
            <Link to={paths.certificate(certificateId)} className="underlined">
              verify it
            </Link>
            {' or '}
            <a
              href={apiAddress(`/api/certificates/${encodeURIComponent(certificateId)}.pdf`)}
              download={`offcut-licence-${certificateId}.pdf`}
              className="underlined"
            >
              download it as PDF
            </a>
            .
          </p>
        ) : (
          <p>
            Every download comes with a signed certificate.{' '}
            <Link to={paths.verifyCertificate} className="underlined">
              Anyone can verify it
            </Link>
            .
          </p>
        )}
      </div>
    </Section>
  );
}

function Similar({ sample }: { sample: Sample }) {
  const answer = useQuery(query('GET /api/samples/:id/similar', { params: { id: sample.id } }));
  const { data, error } = answer;
  if (data?.items.length === 0) return null;
  return (
    <Section title="Similar sounds" heading={HEADING} className="gutter pt-10">
      {!data && !error && <SampleListSkeleton rows={5} loadingText="Loading similar sounds..." />}
      <QueryFailure of={answer} title="Similar sounds could not be loaded" />
      {data && <SampleList samples={data.items} place="list" label={`Similar to ${sample.title}`} headings />}
    </Section>
  );
}

function SampleOf({ sample }: { sample: SampleDetail }) {
  const { title, creator, pack, onSale, id, key, bpm } = sample;
  const queue = useMemo(() => [sample], [sample]);
  const from = (
    <>
      from{' '}
      {onSale ? (
        <Link to={packPathOf(sample)} className="underlined">
          {pack.title}
        </Link>
      ) : (
        pack.title
      )}
    </>
  );
  const facts = [
    from,
    ...(key ? [<KeyLabel key="key" musicalKey={key} />] : []),
    ...(bpm > 0 ? [<TempoLabel key="tempo" bpm={bpm} />] : []),
  ];
  return (
    <>
      <PageTitle>{titleBy(title, creator)}</PageTitle>
      <PageHead title={title} cover={coverOf(sample)} creator={creator} facts={facts}>
        {!onSale && (
          <p role="note" className="mt-4 border-l-3 border-warn pl-3 text-warn">
            This sound is not on sale. Only you and others who have it can see this page.
          </p>
        )}
        <Listen sample={sample} queue={queue} />
        <Actions sample={sample} />
      </PageHead>
      <div className="gutter grid gap-x-16 gap-y-9 pt-8 lg:grid-cols-2">
        <Facts sample={sample} />
        <Licence sample={sample} />
      </div>
      {onSale && <Similar sample={sample} />}
      <p className="gutter pt-8 text-sm text-muted">
        Is something wrong with it?{' '}
        <Link to={`/complaint?about=sample:${id}`} className="underlined">
          Complain about this sample
        </Link>
      </p>
    </>
  );
}

/** The page of a sample with its sound, price, licence and similar sounds. */
export default function SampleScreen() {
  const { id = '' } = useParams();
  const answer = useQuery(query('GET /api/samples/:id', { params: { id } }));
  const { data, error } = answer;
  if (error instanceof ApiProblem && error.code === 'TakenDown')
    return <Gone title="Taken down">{messageOf(error)}</Gone>;
  if (error instanceof ApiProblem && [400, 404, 410].includes(error.status))
    return <Gone title="Sample not found">It is not on sale, or never was.</Gone>;
  return (
    <div className="relative pb-16">
      <BackLink to={data?.onSale ? packPathOf(data) : paths.sounds}>
        {data?.onSale ? data.pack.title : 'Sounds'}
      </BackLink>
      <QueryFailure of={answer} title="The sample could not be loaded" className="gutter pt-6 max-md:pt-17" />
      {!data && !error && <PageHeadSkeleton />}
      {data && <SampleOf sample={data} />}
    </div>
  );
}
