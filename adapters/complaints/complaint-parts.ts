/** Raw SQL: a complaint is about a sample, pack or profile, so each query joins all three and picks one. */
export const FORMER_MEMBER = 'Former member';

/** Joins `complaint c` with its subject: sound `s`, pack `p`, creator `u` and profile `h`. */
export const WITH_SUBJECT = `
  complaint c
  left join sample s on c.subject_kind = 'sample' and s.sample_id = c.subject_id
  left join pack p on p.pack_id = case c.subject_kind when 'sample' then s.pack_id when 'pack' then c.subject_id end
  left join user_account u on u.user_id = c.creator_id and u.erased_at is null
  left join creator_profile h on h.user_id = c.creator_id and u.user_id is not null`;

export const cardOf = (kind: string, id: string): string => `
  jsonb_build_object(
    'kind', ${kind}, 'id', ${id},
    'title', case ${kind} when 'sample' then s.title when 'pack' then p.title
                          else coalesce(u.display_name, '${FORMER_MEMBER}') end,
    'creatorName', coalesce(u.display_name, '${FORMER_MEMBER}'),
    'path', case when ${kind} = 'creator' then '/creator/' || h.handle
                 when p.status = 'published' then '/pack/' || p.slug || '/' || h.handle end)`;
export const SUBJECT = cardOf('c.subject_kind', 'c.subject_id');

export const remarkOf = (column: string): string => `(select text from remark where remark_id = ${column})`;

/** Selects the complainant's name, or `FORMER_MEMBER` if the name was erased. */
export const COMPLAINANT_NAME = `
  coalesce((select display_name from user_account b where b.user_id = c.by_id and b.erased_at is null),
           (select name from complaint_contact k where k.complaint_id = c.complaint_id), '${FORMER_MEMBER}')`;

export const ANSWERED = `
  case when c.status in ('upheld', 'partly', 'rejected') then c.status end as decision, c.measure,
  c.decided_at as "decidedAt", ${remarkOf('c.reason_remark_id')} as reason`;

/** @param said SQL for the text of the counter-notice; null for a reader who may not see the text */
export const counterOf = (said: string): string => `
  case when c.counter_by is not null then jsonb_build_object(
    'status', coalesce(c.counter_status, 'possible'), 'until', c.counter_by, 'said', ${said},
    'reason', ${remarkOf('c.counter_reason_remark_id')}) end as counter`;
