const GOOGLE_NOTES = {
  refused: 'Signing in with Google failed. Try again, or use your e-mail.',
  link: 'Your e-mail address already has a password. Sign in with the password once. After that, you can also sign in with Google.',
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
