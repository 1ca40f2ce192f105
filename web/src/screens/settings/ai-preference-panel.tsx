import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { mutation, query } from '../../api/api.js';
import { notifyError } from '../../ui/overlays/toast.js';

const preference = query('GET /api/creator/ai-preference');

/** Whether generative models may be trained with the creator's sounds. */
export function AiPreferencePanel() {
  const client = useQueryClient();
  const { data } = useQuery(preference);
  const save = useMutation({
    ...mutation('PUT /api/creator/ai-preference'),
    onSuccess: (answer) => client.setQueryData(preference.queryKey, answer),
    onError: notifyError,
  });
  if (!data) return null;
  return (
    <section aria-labelledby="ai-title" className="panel p-5">
      <h2 id="ai-title" className="text-md font-semibold">
        AI training
      </h2>
      <p className="mt-1 text-muted">
        Packs, certificates and crawler rules change at once. Existing licences stay unchanged.
      </p>
      <label className="mt-4 flex min-h-11 items-center gap-2.5">
        <input
          type="checkbox"
          checked={data.trains}
          disabled={save.isPending}
          onChange={({ target }) => save.mutate({ body: { trains: target.checked } })}
        />
        Others may train generative models with my sounds
      </label>
    </section>
  );
}
