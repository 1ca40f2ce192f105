import type { FieldErrors, UseFormRegister } from 'react-hook-form';
import { GENRES, MOODS } from '../../../application/catalogue/contract.js';
import { Input, Select, Textarea } from '../ui/forms/field.js';

/** The fields of a pack in a form. */
export interface PackFieldValues {
  name: string;
  genre: string;
  mood: string;
  description: string;
}

/** Name, genre, mood and description; for a new pack and for an existing one. */
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
        maxLength={120}
        required
        error={errors.name?.message}
        {...register('name', { validate: (value) => value.trim() !== '' || 'Enter a name' })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label="Genre *"
          required
          error={errors.genre?.message}
          {...register('genre', { required: 'Choose a genre' })}
        >
          <option value="">Choose</option>
          {GENRES.map((genre) => (
            <option key={genre}>{genre}</option>
          ))}
        </Select>
        <Select
          label="Mood *"
          required
          error={errors.mood?.message}
          {...register('mood', { required: 'Choose a mood' })}
        >
          <option value="">Choose</option>
          {MOODS.map((mood) => (
            <option key={mood}>{mood}</option>
          ))}
        </Select>
      </div>
      <Textarea label="Description" rows={4} maxLength={2_000} {...register('description')} />
    </div>
  );
}
