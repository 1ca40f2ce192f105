import { type FormEvent, useState } from 'react';
import type { PackCard } from '../../../../application/catalogue/contract.js';
import { ApiProblem, api, messageOf } from '../../api/http.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/field.js';
import { type Decision, ReasonDialog } from './reason-dialog.js';
import { defectOf, takedownOf } from './removals.js';

const PACK_ADDRESS = /\/pack\/([^/?#]+)\/([^/?#]+)/;

/** The pack behind the address of its page, or behind its bare id. */
async function packOf(text: string): Promise<{ id: string; title?: string }> {
  const [, slug, handle] = PACK_ADDRESS.exec(text) ?? [];
  if (!slug || !handle) return { id: text };
  // They stand in the address as the interface wants them: already encoded.
  return api.get<PackCard>(`/api/packs/${handle}/${slug}`);
}

/** One field and a button that leads to a decision. */
function Start(props: {
  title: string;
  label: string;
  hint: string;
  button: string;
  decisionOn: (text: string, done: () => void) => Promise<Decision>;
  ask: (decision: Decision) => void;
}) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return setProblem('Which one?');
    setBusy(true);
    try {
      props.ask(await props.decisionOn(text.trim(), () => setText('')));
    } catch (error) {
      const missing = error instanceof ApiProblem && error.status === 404;
      setProblem(missing ? 'There is nothing at this address.' : messageOf(error));
    }
    setBusy(false);
  };
  return (
    <form
      noValidate
      aria-label={props.title}
      className="panel grid content-start gap-4 p-5"
      onSubmit={(event) => void submit(event)}
    >
      <h2 className="text-[17px] font-semibold">{props.title}</h2>
      <Input
        label={props.label}
        hint={props.hint}
        error={problem}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(undefined);
        }}
      />
      <Button type="submit" tone="danger" busy={busy}>
        {props.button}
      </Button>
    </form>
  );
}

/** Taking packs out of the shop, and giving credits back for samples that are broken. */
export function TakedownsPage() {
  const [decision, setDecision] = useState<Decision>();
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Start
        title="Take down a pack"
        label="Pack"
        hint="The address of its page, or its id."
        button="Take down..."
        ask={setDecision}
        decisionOn={async (text, done) => {
          const { id, title } = await packOf(text);
          return takedownOf(id, title && `“${title}”`, done);
        }}
      />
      <Start
        title="A defective sample"
        label="Sample id"
        hint="The id in a report, or in the file of a certificate."
        button="Return credits..."
        ask={setDecision}
        decisionOn={(text, done) => Promise.resolve(defectOf(text, done))}
      />
      {decision && <ReasonDialog decision={decision} onClose={() => setDecision(undefined)} />}
    </div>
  );
}
