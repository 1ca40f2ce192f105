/** The result of signing in with Google, if it did not sign in. */
const GOOGLE_NOTES = {
  refused: 'Signing in with Google did not work. Nothing was changed: try again, or use your e-mail.',
  link: 'Your e-mail has a password here already. Sign in with it once, and Google opens the same account from then on.',
} as const;

export default function GoogleNote({ kind }: { kind: keyof typeof GOOGLE_NOTES }) {
  return (
    <p
      role={kind === 'refused' ? 'alert' : 'status'}
      className={`mb-5 border-l-3 pl-3 ${kind === 'refused' ? 'border-danger text-danger' : 'border-strong'}`}
    >
      {GOOGLE_NOTES[kind]}
    </p>
  );
}
