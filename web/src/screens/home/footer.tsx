import { useMutation } from '@tanstack/react-query';
import { Moon, Sun } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/api.js';
import { checkBody } from '../../api/check-body.js';
import { messageOf } from '../../api/transport/http.js';
import { paths } from '../../paths.js';
import { FooterLinks, LegalLinks } from '../../shell/legal.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import { Logo } from '../../ui/marks.js';
import { setTheme, useTheme } from '../../ui/theme.js';

const KEY = 'POST /api/mailing-list';

/** @returns what is wrong with the address; undefined if the server accepted the address and sends the link */
async function askToJoin(email: string): Promise<string | undefined> {
  const checked = await checkBody(KEY, { email });
  if ('problems' in checked) return checked.problems.email;
  await api(KEY, checked);
}

/** The form to join the mailing list. The list gets an address only after its owner has followed the mailed link. */
function MailingList() {
  const [email, setEmail] = useState('');
  const { mutate, data: problem, isPending, isSuccess, error } = useMutation({ mutationFn: askToJoin });
  const subscribe = (event: FormEvent) => {
    event.preventDefault();
    mutate(email.trim());
  };
  return (
    <section aria-labelledby="mailing-list" className="home-gutter border-t border-line py-12">
      <div className="flex flex-wrap items-start justify-between gap-x-12 gap-y-6">
        <div className="max-w-[44ch]">
          <h2 id="mailing-list" className="display text-5xl">
            New offcuts, by mail
          </h2>
          <p className="mt-3 text-md text-muted">
            We send a short mail when there are new packs. You can leave the list with one click.
          </p>
        </div>
        {isSuccess && !problem ? (
          <p role="status" className="max-w-[44ch] border-l-3 border-ok pl-3">
            We sent a link to {email.trim()}. Follow it to join the list. Until then the address is not on it.
          </p>
        ) : (
          <form noValidate onSubmit={subscribe} className="w-full max-w-115">
            <div className="flex items-start gap-3">
              <Input
                label="E-mail address"
                hideLabel
                type="email"
                autoComplete="email"
                placeholder="you@example.com"
                className="min-w-0 flex-1"
                value={email}
                error={error ? messageOf(error) : problem}
                onChange={(event) => setEmail(event.target.value)}
              />
              <Button type="submit" tone="primary" className="min-h-11" busy={isPending}>
                Subscribe
              </Button>
            </div>
          </form>
        )}
      </div>
    </section>
  );
}

const LINKS = [
  ['Sounds', paths.sounds],
  ['Discover', paths.discover],
  ['Collections', paths.collections],
  ['Swipe', paths.swipe],
  ['Pricing', paths.pricing],
  ['Become a creator', paths.sell],
  ['Verify a certificate', paths.verifyCertificate],
] as const;

export function Footer() {
  const theme = useTheme();
  return (
    <>
      <MailingList />
      <footer className="home-gutter flex flex-wrap items-center gap-x-7 gap-y-4 border-t border-line bg-inset py-10">
        <Logo />
        <span className="flex-1" />
        <FooterLinks name="Footer" links={LINKS} />
        <Button
          tone="ghost"
          size="small"
          icon={theme === 'dark' ? <Sun size={16} /> : <Moon size={16} />}
          onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
        >
          {theme === 'dark' ? 'Light' : 'Dark'}
        </Button>
        <div className="basis-full border-t border-line pt-4">
          <LegalLinks />
        </div>
      </footer>
    </>
  );
}
