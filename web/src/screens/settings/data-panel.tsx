import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { apiAddress } from '../../api/backend.js';
import { api, messageOf } from '../../api/http.js';
import { paths } from '../../paths.js';
import { loadSession } from '../../session/session.js';
import { askConfirm } from '../../ui/alerts.js';
import { Button, buttonClass } from '../../ui/button.js';
import { toast } from '../../ui/toast.js';

/** Taking one's data along, and erasing it. */
export function DataPanel() {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const erase = async () => {
    const sure = await askConfirm({
      title: 'Delete account?',
      message:
        'Your name, e-mail, picture, saved items and history are erased, and your remaining credits are lost. Purchases stay in the books without your name. This cannot be undone.',
      confirmLabel: 'Delete account',
      destructive: true,
    });
    if (!sure) return;
    setBusy(true);
    try {
      await api.delete('/api/me');
      await loadSession('signed-out');
      void navigate(paths.home);
      toast({ title: 'Your account was deleted' });
    } catch (error) {
      setBusy(false);
      toast({ title: 'Error', description: messageOf(error), tone: 'danger' });
    }
  };
  return (
    <section aria-labelledby="data-title" className="panel p-5">
      <h2 id="data-title" className="text-[15px] font-semibold">
        Your data
      </h2>
      <p className="mt-1 text-muted">Everything kept about you, as one JSON file.</p>
      <div className="mt-4 flex flex-wrap gap-2">
        <a href={apiAddress('/api/me/export')} download className={buttonClass({ size: 'small' })}>
          Download my data
        </a>
        <Button size="small" tone="danger" busy={busy} onClick={() => void erase()}>
          Delete account
        </Button>
      </div>
    </section>
  );
}
