import type { FieldErrors, UseFormRegister } from 'react-hook-form';
import { GENRES, MOODS } from '../../../application/catalogue/values.js';
import { DESCRIPTION_MAX_LENGTH, TITLE_MAX_LENGTH } from '../../../application/publishing/values.js';
import { Input, Select, Textarea } from '../ui/forms/field.js';

/** Messages for an empty choice. */
export const PACK_WORDS = { genre: 'Choose a genre', mood: 'Choose a mood' };

export interface PackFieldValues {
  name: string;
  genre: string;
  mood: string;
  description: string;
}

export function PackFields({
  register,
  errors,
}: {
  register: UseFormRegister<PackFieldValues>;
  errors: FieldErrors<PackFieldValues>;
}) {
  return (
    <div className="grid gap-4">
      <Input
        label="Name *"
        data-autofocus
        maxLength={TITLE_MAX_LENGTH}
        required
        error={errors.name?.message}
        {...register('name')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label="Genre *" required error={errors.genre?.message} {...register('genre')}>
          <option value="">Choose</option>
          {GENRES.map((genre) => (
            <option key={genre}>{genre}</option>
          ))}
        </Select>
        <Select label="Mood *" required error={errors.mood?.message} {...register('mood')}>
          <option value="">Choose</option>
          {MOODS.map((mood) => (
            <option key={mood}>{mood}</option>
          ))}
        </Select>
      </div>
      <Textarea
        label="Description"
        rows={4}
        maxLength={DESCRIPTION_MAX_LENGTH}
        {...register('description')}
      />
    </div>
  );
}
