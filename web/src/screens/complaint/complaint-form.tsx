import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import {
  COMPLAINT_KINDS,
  EMAIL_MAX_LENGTH,
  NAME_MAX_LENGTH,
  STATEMENT_MAX_LENGTH,
  WORK_MAX_LENGTH,
} from '../../../../application/complaints/values.js';
import type { FormBody } from '../../api/check-body.js';
import { api } from '../../api/api.js';
import { packQuery } from '../../api/catalogue.js';
import type { Answer } from '../../api/endpoints.js';
import { messageOf } from '../../api/transport/http.js';
import { KINDS, type OwnComplaint } from '../../creators/complaint-words.js';
import { useSession } from '../../session/session.js';
import { Button } from '../../ui/button.js';
import { Checkbox, Input, Select, Textarea } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { Problem } from '../../ui/states.js';

type Body = FormBody<'POST /api/complaints'>;
interface Fields {
  subject: string;
  kind: OwnComplaint['kind'];
  statement: string;
  work: string;
  name: string;
  email: string;
  inGoodFaith: boolean;
  isTrue: boolean;
}

const hasWork = (kind: Fields['kind']): boolean => kind === 'copyright' || kind === 'trademark';

type ComplaintSubject = Answer<'GET /api/complaints/subject'>;

/** Returns the sounds if the subject is a pack, so that the complaint can name one of them. */
function usePackSounds({ kind, path }: ComplaintSubject) {
  const [, slug = '', creator = ''] = /^\/pack\/([^/]+)\/([^/]+)$/.exec(path ?? '') ?? [];
  const isPack = kind === 'pack' && slug !== '';
  const { data } = useQuery({ ...packQuery(creator, slug), enabled: isPack });
  return data?.samples ?? [];
}

export function ComplaintForm(props: {
  subject: ComplaintSubject;
  onFiled: (answer: { id: string; status: 'unconfirmed' | 'open' }, email: string) => void;
}) {
  const { subject, onFiled } = props;
  const { user } = useSession();
  const sounds = usePackSounds(subject);
  const [problem, setProblem] = useState<string>();
  const { register, field, formProps, watch, formState } = useBodyForm<Fields, 'POST /api/complaints'>(
    'POST /api/complaints',
    {
      defaultValues: {
        subject: `${subject.kind}:${subject.id}`,
        kind: 'copyright',
        statement: '',
        work: '',
        name: '',
        email: '',
        inGoodFaith: false,
        isTrue: false,
      },
      body: ({ subject: about, kind, work, name, email, ...rest }) => {
        const [subjectKind, id] = about.split(':');
        return {
          ...rest,
          kind,
          subject: { kind: subjectKind, id },
          ...(hasWork(kind) && { work }),
          ...(!user && { name, email }),
        };
      },
      words: { inGoodFaith: 'Needed for a complaint', isTrue: 'Needed for a complaint' },
    },
  );
  const { errors, isSubmitting } = formState;
  const send = async (body: Body) => {
    setProblem(undefined);
    try {
      onFiled(await api('POST /api/complaints', { body }), body.email ?? '');
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const kind = watch('kind');
  return (
    <form {...formProps(send)} aria-label="Complaint" className="panel grid gap-5 p-5 md:p-7">
      <div>
        <h2 className="text-xl font-semibold wrap-anywhere">
          {subject.path ? <Link to={subject.path}>{subject.title}</Link> : subject.title}
        </h2>
        {subject.kind !== 'creator' && <p className="text-muted">by {subject.creatorName}</p>}
      </div>
      {sounds.length > 0 && (
        <Select
          label="Which part of it"
          options={sounds.map(({ id, title }) => [`sample:${id}`, title])}
          {...field('subject')}
        >
          <option value={`pack:${subject.id}`}>The whole pack</option>
        </Select>
      )}
      <Select
        label="What is wrong"
        hint={KINDS[kind].hint}
        options={COMPLAINT_KINDS.map((each) => [each, KINDS[each].label])}
        {...field('kind')}
      />
      {hasWork(kind) && (
        <Textarea
          label={kind === 'copyright' ? 'Your work, and your right to it' : 'The mark, and your right to it'}
          hint="Where it was published or registered, when, and whether it is yours or you speak for its owner."
          rows={3}
          maxLength={WORK_MAX_LENGTH}
          {...field('work')}
        />
      )}
      <Textarea
        label="What you say"
        hint="What our staff need to check it: where to listen, and what to compare."
        rows={6}
        maxLength={STATEMENT_MAX_LENGTH}
        {...field('statement')}
      />
      {user === null && (
        <div className="grid gap-5 md:grid-cols-2">
          <Input label="Your name" autoComplete="name" maxLength={NAME_MAX_LENGTH} {...field('name')} />
          <Input
            label="Your e-mail address"
            type="email"
            autoComplete="email"
            maxLength={EMAIL_MAX_LENGTH}
            hint="We send a link to it that confirms the complaint. Its creator does not see it."
            {...field('email')}
          />
        </div>
      )}
      <fieldset className="grid gap-1">
        <legend className="sr-only">What you declare</legend>
        {(
          [
            ['inGoodFaith', 'I believe in good faith that this should not be here'],
            ['isTrue', 'What I say is true and complete'],
          ] as const
        ).map(([name, label]) => (
          <div key={name}>
            <Checkbox
              label={label}
              aria-invalid={errors[name] ? true : undefined}
              aria-describedby={errors[name] ? `${name}-error` : undefined}
              {...register(name)}
            />
            {errors[name] && (
              <p id={`${name}-error`} className="text-sm text-danger">
                {errors[name].message}
              </p>
            )}
          </div>
        ))}
      </fieldset>
      <Problem of={problem} />
      <div>
        <Button type="submit" tone="primary" size="large" busy={isSubmitting}>
          Send the complaint
        </Button>
      </div>
    </form>
  );
}
