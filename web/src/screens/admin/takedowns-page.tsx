import { useState } from 'react';
import { api } from '../../api/api.js';
import { DeferredReturns } from './deferred-returns.js';
import { type Decision, ReasonDialog } from '../../staff/reason-dialog.js';
import { defectOf, takedownOf } from './removals.js';
import { Start } from './start-form.js';

const PACK_ADDRESS = /\/pack\/([^/?#]+)\/([^/?#]+)/;

/** The pack of a page address, or of a bare id. */
async function packOf(text: string): Promise<{ id: string; title?: string }> {
  const [, slug, handle] = PACK_ADDRESS.exec(text) ?? [];
  if (!slug || !handle) return { id: text };
  const params = { handle: decodeURIComponent(handle), slug: decodeURIComponent(slug) };
  return api('GET /api/packs/:handle/:slug', { params });
}

/** Takedowns of packs, returns of credits for defective samples, and returns that have to wait. */
export function TakedownsPage() {
  const [decision, setDecision] = useState<Decision>();
  return (
    <>
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
      </div>
      <DeferredReturns />
      {decision && <ReasonDialog decision={decision} onClose={() => setDecision(undefined)} />}
    </>
  );
}
