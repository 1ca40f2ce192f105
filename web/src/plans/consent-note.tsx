import { Link } from 'react-router-dom';
import { CONSENT_TEXTS, CURRENT_CONSENT } from '../../../application/subscriptions/values.js';
import { paths } from '../paths.js';

/** The consent to immediate delivery. The buyer gives it by choosing a product, and the checkout records it. */
export function ConsentNote({ by = 'choosing a plan or a top-up', className = '' }) {
  return (
    <p className={`max-w-[68ch] text-sm text-muted ${className}`}>
      By {by} you agree: “{CONSENT_TEXTS[CURRENT_CONSENT]}” You can{' '}
      <Link to={paths.withdraw} className="underlined">
        withdraw from a contract here
      </Link>
      .
    </p>
  );
}
