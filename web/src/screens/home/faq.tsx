import { clsx } from 'clsx';
import { Headphones, FileAudio, Mic, Minus, Plus, Ticket, Wallet } from 'lucide-react';
import { useId, useState } from 'react';
import { PREVIEW_LIMIT_SECONDS } from '../../../../application/catalogue/values.js';

const QUESTIONS = [
  {
    id: 'expiry',
    question: 'Do my credits expire?',
    answer:
      'No. Credits roll over monthly and never expire, even after you cancel your plan. Spend them in March or in three years.',
    Icon: Ticket,
  },
  {
    id: 'preview',
    question: 'Can I hear everything before I pay?',
    answer: `Yes. Every sample plays for up to ${PREVIEW_LIMIT_SECONDS} seconds, signed in or not. Listening never costs a credit.`,
    Icon: Headphones,
  },
  {
    id: 'credit',
    question: 'What exactly do I get for one credit?',
    answer:
      'The original file as the creator uploaded it, a licence certificate with your name on it, and free downloads of the same file ever after. Some samples cost more; the sticker says so before you press.',
    Icon: FileAudio,
  },
  {
    id: 'studio',
    question: 'Does the Studio plan let me upload?',
    answer:
      'No. Creator access is granted separately to approved creators. Upload and dashboard access are not part of the Studio plan.',
    Icon: Mic,
  },
  {
    id: 'paid',
    question: 'When do creators get paid?',
    answer:
      'Each download earns its creator a share of what the buyer paid for the credit. Earnings are held for a short while, then they can be withdrawn.',
    Icon: Wallet,
  },
] as const;

export function Faq() {
  const [open, setOpen] = useState<string | null>(null);
  const base = useId();
  return (
    <section
      aria-labelledby="faq"
      className="home-gutter pt-14 pb-12 md:pt-20 md:pb-18 grid grid-cols-1 gap-8 lg:grid-cols-[minmax(240px,1fr)_1.56fr] lg:gap-12"
    >
      <div>
        <h2 id="faq" className="display text-5xl md:text-8xl">
          Asked <br />a lot
        </h2>
        <p className="mt-4 max-w-[30ch] text-muted">Something else? Write to support and a person answers.</p>
      </div>
      <div>
        <p className="mb-3 text-center text-xs text-faint">Every day, 9:01 AM</p>
        {QUESTIONS.map(({ id, question, answer, Icon }) => {
          const isOpen = id === open;
          const Sign = isOpen ? Minus : Plus;
          const icon = <Icon size={17} className="text-muted" />;
          const iconIsLast = id === 'studio';
          return (
            <div key={id} className="mb-2.5">
              <h3>
                <button
                  type="button"
                  className="inline-flex min-h-12.5 items-center gap-3 bg-raised px-4.5 py-2 text-left text-md/[1.3] font-semibold hover:bg-hover [clip-path:polygon(0_0,100%_0,100%_100%,10px_100%,0_calc(100%-10px))] focus-visible:-outline-offset-3"
                  aria-expanded={isOpen}
                  aria-controls={`${base}-${id}`}
                  onClick={() => setOpen(isOpen ? null : id)}
                >
                  {!iconIsLast && icon}
                  {question}
                  {iconIsLast && icon}
                  <Sign size={14} />
                </button>
              </h3>
              <div
                id={`${base}-${id}`}
                className={clsx(
                  'grid transition-[grid-template-rows] duration-400 ease-(--ease)',
                  isOpen ? 'grid-rows-[1fr]' : 'grid-rows-[0fr]',
                )}
                inert={!isOpen}
              >
                <div className="overflow-hidden">
                  <p className="mt-2.5 mb-2 ml-auto w-[min(520px,92%)] bg-accent px-5 py-4 text-md text-on-accent [clip-path:polygon(0_0,100%_0,100%_calc(100%-12px),calc(100%-12px)_100%,0_100%)]">
                    {answer}
                  </p>
                </div>
              </div>
            </div>
          );
        })}
      </div>
    </section>
  );
}
