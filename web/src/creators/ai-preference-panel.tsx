import { useMutation, useQuery } from '@tanstack/react-query';
import { mutation, query } from '../api/api.js';
import { queryClient } from '../api/query-client.js';
import { ChoicePanel } from '../ui/choice-panel.js';
import { notifyError } from '../ui/overlays/toast.js';

const preference = query('GET /api/creator/ai-preference');

/** Lets a creator choose whether others may train generative models with the creator's sounds. */
export function AiPreferencePanel() {
  const { data } = useQuery(preference);
  const save = useMutation({
    ...mutation('PUT /api/creator/ai-preference'),
    onSuccess: (answer) => queryClient.setQueryData(preference.queryKey, answer),
    onError: notifyError,
  });
  if (!data) return null;
  return (
    <ChoicePanel
      title="AI training"
      text="Packs, certificates and crawler rules change at once. Existing licences stay unchanged."
      label="Others may train generative models with my sounds"
      isChosen={data.trains}
      isSaving={save.isPending}
      choose={(trains) => save.mutate({ body: { trains } })}
    />
  );
}
