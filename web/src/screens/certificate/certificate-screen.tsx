import { useMutation, useQuery } from '@tanstack/react-query';
import { BadgeCheck, CircleX, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type {
  Certificate,
  CertificateVerdict,
  CertifiedCopy,
} from '../../../../application/purchases/contract.js';
import { ORIGIN_LABELS } from '../../../../application/catalogue/values.js';
import { aiTrainingText, licenceText } from '../../../../application/purchases/licence.js';
import { api } from '../../api/api.js';
import { ApiProblem, messageOf } from '../../api/transport/http.js';
import { useDisputePack } from '../../downloads/dispute-pack.js';
import { paths } from '../../paths.js';
import { useSession } from '../../session/session.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button } from '../../ui/button.js';
import { Input, Textarea } from '../../ui/forms/field.js';
import { useFilePicker } from '../../ui/forms/file-picker.js';
import { formatDay } from '../../ui/format.js';
import { Problem } from '../../ui/states.js';
import { AudioCheck } from './audio-check.js';
import { certificateIdOf, verificationQuery } from './first-queries.js';

type Verdict = CertificateVerdict & { certificate?: Certificate; copies?: readonly CertifiedCopy[] };

const NOT_A_CERTIFICATE = 'This text is not a certificate.';

/**
 * Lists the tagged copies of a certificate; none if the server has no record of the certificate, although its
 * signature is valid.
 */
const copiesOf = (id: string): Promise<readonly CertifiedCopy[]> =>
  api('GET /api/certificates/:id/verification', { params: { id } }).then(
    ({ copies }) => copies,
    (error: unknown) => {
      if (error instanceof ApiProblem && error.status === 404) return [];
      throw error;
    },
  );

/**
 * Verifies the text of a certificate. If the text is no certificate, returns an invalid verdict instead of an error.
 */
async function verdictOn(text: string): Promise<Verdict> {
  let document: Certificate;
  try {
    document = JSON.parse(text) as Certificate;
  } catch {
    return { valid: false, reason: NOT_A_CERTIFICATE };
  }
  try {
    const verdict = await api('POST /api/certificates/verify', { body: document });
    if (!verdict.valid) return verdict;
    return { ...verdict, certificate: document, copies: await copiesOf(document.id) };
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 400)
      return { valid: false, reason: NOT_A_CERTIFICATE };
    throw error;
  }
}

function Facts({
  certificate,
  copies = [],
}: {
  certificate: Certificate;
  copies?: readonly CertifiedCopy[];
}) {
  const { sample, creator, licensee, licenceVersion, aiTraining, origin } = certificate;
  const rows: [string, string, boolean?][] = [
    ['Sound', `${sample.title}, from “${sample.pack}”`],
    ['Licensed by', creator.displayName],
    ['Licensed to', licensee.displayName],
    ['Issued', formatDay(certificate.issuedAt)],
    ['Licence', `Version ${licenceVersion}`],
    ...(aiTraining === undefined ? [] : [['AI training', aiTrainingText(aiTraining)] as [string, string]]),
    ...(origin === undefined ? [] : [['Origin', ORIGIN_LABELS[origin]] as [string, string]]),
    ['File, SHA-256', certificate.fileSha256, true],
    ...copies.map(({ sha256 }, n): [string, string, boolean] => [
      `Tagged copy ${n + 1}, SHA-256`,
      sha256,
      true,
    ]),
    ['Certificate', certificate.id, true],
  ];
  return (
    <dl className="mt-5 grid grid-cols-1 gap-x-6 border-t border-line sm:grid-cols-[130px_minmax(0,1fr)]">
      {rows.map(([label, value, isId]) => (
        <div key={label} className="contents">
          <dt className="pt-2.5 text-muted sm:border-b sm:border-line sm:pb-2.5">{label}</dt>
          <dd
            className={`min-w-0 border-b border-line pb-2.5 wrap-anywhere sm:pt-2.5 ${isId ? 'mono' : 'font-semibold'}`}
          >
            {value}
          </dd>
        </div>
      ))}
      <div className="contents">
        <dt className="pt-2.5 text-muted">Licence text</dt>
        <dd className="grid min-w-0 gap-1.5 pt-2.5">
          {licenceText(licenceVersion).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </dd>
      </div>
    </dl>
  );
}

/** Offers the dispute pack, a ZIP file that proves the licence, to the licensee only. */
function OwnPack({ certificate }: { certificate: Certificate }) {
  const { user } = useSession();
  const { open, dialog } = useDisputePack(certificate.id, certificate.sample.title);
  if (user?.id !== certificate.licensee.id) return null;
  return (
    <>
      <Button className="mt-5" icon={<ShieldCheck size={16} />} onClick={open}>
        Download dispute pack
      </Button>
      {dialog}
    </>
  );
}

function Result({ verdict }: { verdict: Verdict }) {
  const { valid, reason, certificate, copies } = verdict;
  return (
    <section
      role="status"
      className={`panel border-l-3 p-5 ${valid ? 'border-l-ok' : 'border-l-danger'}`}
      aria-label="Result"
    >
      <h2 className="flex items-center gap-2.5 text-lg font-semibold">
        {valid ? <BadgeCheck size={20} className="text-ok" /> : <CircleX size={20} className="text-danger" />}
        {valid ? 'Valid certificate' : 'Not valid'}
      </h2>
      <p className="mt-1.5 text-muted">{reason}</p>
      {valid && certificate && <Facts certificate={certificate} copies={copies} />}
      {valid && certificate && <OwnPack key={certificate.id} certificate={certificate} />}
    </section>
  );
}

function useLookUp(id: string | undefined): { verdict?: Verdict; busy: boolean; error?: string } {
  const lookUp = useQuery({ ...verificationQuery(id ?? ''), enabled: id !== undefined });
  const { error } = lookUp;
  if (error instanceof ApiProblem && (error.status === 404 || error.status === 400))
    return { verdict: { valid: false, reason: 'No certificate was issued under this id.' }, busy: false };
  return { verdict: lookUp.data, busy: lookUp.isLoading, ...(error && { error: messageOf(error) }) };
}

function ById({ id, busy }: { id?: string; busy: boolean }) {
  const navigate = useNavigate();
  const [text, setText] = useState(id ?? '');
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) void navigate(paths.certificate(text.trim()));
      }}
    >
      <Input
        label="Certificate id"
        className="min-w-0 flex-1 basis-72"
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" tone="primary" className="min-h-11" busy={busy}>
        Look up
      </Button>
    </form>
  );
}

function ByFile({ verify, busy }: { verify: (text: string) => void; busy: boolean }) {
  const [text, setText] = useState('');
  const take = async (file: File) => {
    const content = await file.text();
    setText(content);
    verify(content);
  };
  const { open, input } = useFilePicker({
    label: 'Certificate file',
    accept: 'application/json,.json',
    onFiles: ([file]) => file && void take(file),
  });
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        verify(text);
      }}
    >
      <Textarea
        label="Certificate as JSON"
        rows={8}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" busy={busy} disabled={text.trim() === ''}>
          Verify
        </Button>
        <Button onClick={open}>Open a file</Button>
        {input}
      </div>
    </form>
  );
}

export default function CertificateScreen() {
  const id = certificateIdOf(useParams());
  const lookUp = useLookUp(id);
  const verify = useMutation({ mutationFn: ({ text }: { text: string; at?: string }) => verdictOn(text) });
  // Shows the verdict on a certificate that the visitor provided, until the visitor looks up another id.
  const byHand = verify.variables !== undefined && verify.variables.at === id;
  const verdict = byHand ? verify.data : lookUp.verdict;
  const { certificate, copies = [] } = verdict ?? {};
  const error = byHand ? verify.error && messageOf(verify.error) : lookUp.error;
  return (
    <div className="gutter mx-auto max-w-190 py-12">
      <PageTitle />
      <h1 className="display text-7xl md:text-8xl">Verify a certificate</h1>
      <p className="mt-4 mb-8 text-md text-muted">
        Every download comes with a signed licence. Check here that one is genuine and unchanged, and which
        file it covers.
      </p>
      <div className="grid grid-cols-1 gap-8">
        {verdict && <Result verdict={verdict} />}
        <Problem of={error} />
        <ById key={id} id={id} busy={lookUp.busy} />
        <AudioCheck known={verdict?.valid && certificate ? { certificate, copies } : undefined} />
        <ByFile verify={(text) => verify.mutate(id ? { text, at: id } : { text })} busy={verify.isPending} />
      </div>
    </div>
  );
}
