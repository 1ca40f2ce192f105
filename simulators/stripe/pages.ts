import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Stripe from 'stripe';
import { TEST_CARDS } from './resources/payment-methods.js';
import { checkoutLines } from './expand.js';
import { TAXED_PLACES, UNTAXED_PLACES } from './tax/taxes.js';
import type { World } from './world.js';

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const money = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

/** The product's fonts, if they are installed here; otherwise the pages use the system's fonts. */
const FILES: Record<string, string> = {
  archivo: '@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2',
  bricolage: '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-standard-normal.woff2',
};

const STYLE = `
@font-face{font-family:"Archivo Variable";src:url(/fonts/archivo) format("woff2");font-weight:100 900;font-stretch:62% 125%}
@font-face{font-family:"Bricolage Grotesque Variable";src:url(/fonts/bricolage) format("woff2");font-weight:200 800;font-stretch:75% 100%}
:root{color-scheme:dark;--page:#0D1815;--surface:#14221D;--hover:#21362E;--inset:#091210;--line:#28413A;--strong:#6B877A;
--text:#F2F4EB;--muted:#B0C2B8;--accent:#FF5A2C;--on-accent:#1A0B05;--sticker:#F8C33A;--on-sticker:#15211C;
--danger:#FF8090;--danger-wash:#3D1A22}
@media (prefers-color-scheme:light){:root{color-scheme:light;--page:#EFF2EA;--surface:#FFF;--hover:#E4E9DF;--inset:#E4E9DF;
--line:#CED7CD;--strong:#71857B;--text:#12201A;--muted:#45584F;--danger:#B3173A;--danger-wash:#FBDDE2}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background-color:var(--page);color:var(--text);
background-image:linear-gradient(var(--line) 1px,transparent 1px),linear-gradient(90deg,var(--line) 1px,transparent 1px);
background-size:48px 48px;background-position:center;font:450 14px/1.5 "Archivo Variable",Archivo,system-ui,sans-serif;
font-variant-numeric:tabular-nums}
main{width:100%;max-width:440px;background:var(--surface);border:1px solid var(--line);border-radius:3px}
header{display:flex;align-items:center;gap:12px;padding:16px 24px;border-bottom:1px solid var(--line)}
header span{font-weight:600}
.label{margin-left:auto;background:var(--sticker);color:var(--on-sticker);font-size:12px;font-weight:650;padding:3px 12px 3px 8px;
clip-path:polygon(0 0,calc(100% - 6px) 0,100% 6px,100% 100%,0 100%)}
section{padding:24px}
h1{font:800 36px/1 "Bricolage Grotesque Variable","Bricolage Grotesque",system-ui,sans-serif;font-stretch:75%;
letter-spacing:-.012em;margin:0 0 4px}
p{margin:0 0 16px;color:var(--muted)}
.price{display:flex;justify-content:space-between;align-items:baseline;border-top:2px solid var(--text);padding:12px 0 24px;font-weight:600}
.price b{font-size:20px}
fieldset{border:0;margin:0 0 24px;padding:0}
legend{padding:0 0 8px;font-weight:600}
label{display:flex;gap:12px;align-items:center;padding:12px;border:1px solid var(--line);background:var(--inset);cursor:pointer}
label+label{border-top:0}label:hover{background:var(--hover)}
input{accent-color:var(--accent);width:18px;height:18px;margin:0;flex:none}
select,input.text{width:auto;min-width:0;flex:1;height:36px;background:var(--surface);color:var(--text);border:1px solid var(--strong);font:inherit;padding:0 8px}
small{margin-left:auto;white-space:nowrap;color:var(--muted);font-size:12px}
.actions{display:grid;gap:8px}
button{font-family:inherit;font-size:15px;font-weight:650;line-height:1;min-height:44px;border-radius:2px;border:1px solid var(--strong);background:none;
color:var(--text);cursor:pointer}
button:hover{background:var(--hover)}
button.pay{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
:focus-visible{outline:2px solid var(--text);outline-offset:2px}
.problem{border-left:4px solid var(--danger);background:var(--danger-wash);color:var(--danger);padding:12px;margin:0 0 16px}`;

const shell = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${escape(title)}</title><style>${STYLE}</style></head>
<body><main><header><svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><path fill="currentColor" d="M1 6h15.5L26 15.5V31H1z"/><path fill="#FF5A2C" d="M19 1h12v12z"/></svg>
<span>Offcut</span><span class="label">Stripe simulator</span></header><section>${body}</section></main></body></html>`;

const cards = (): string =>
  `<fieldset><legend>Test card</legend>${Object.entries(TEST_CARDS)
    .map(
      ([number, { label }], index) =>
        `<label><input type="radio" name="card" value="${number}"${index === 0 ? ' checked' : ''}>${label}` +
        `<small>… ${number.slice(-4)}</small></label>`,
    )
    .join('')}</fieldset>`;

const whereabouts = (asksTaxId: boolean): string =>
  `<fieldset><legend>Billing address</legend>
<label>Where <select name="place" autocomplete="billing country">${[
    ...Object.keys(TAXED_PLACES),
    ...UNTAXED_PLACES,
  ]
    .map((place) => `<option value="${place}">${nameOf(place)}</option>`)
    .join('')}</select></label>${asksTaxId ? TAX_ID : ''}</fieldset>`;
const PROMOTION =
  '<fieldset><legend>Promotion code</legend><label>If any <input class="text" name="promotionCode" autocomplete="off" maxlength="60"></label></fieldset>';
const TAX_ID =
  '<label>Tax number, if any <input class="text" name="taxId" autocomplete="off" maxlength="40"></label>';

const countries = new Intl.DisplayNames('en', { type: 'region' });
function nameOf(place: string): string {
  const [country = '', state] = place.split('-');
  return `${countries.of(country)}${state ? `, ${state}` : ''}`;
}

const problemBox = (problem: string | undefined): string =>
  problem ? `<div class="problem" role="alert">${escape(problem)}</div>` : '';

/** The form that an open invoice needs: a button if the bank asks for confirmation, otherwise the cards. */
function payForm(invoice: Stripe.Invoice, asks: boolean): string {
  const due = money(invoice.amount_remaining);
  if (!asks)
    return `<form method="post">${cards()}<div class="actions">
<button class="pay" name="outcome" value="paid">Pay ${due}</button></div></form>`;
  return `<p>The bank wants its customer to confirm this payment.</p>
<form method="post"><div class="actions">
<button class="pay" name="outcome" value="confirmed">Confirm ${due}</button>
<button name="outcome" value="failed">Fail</button></div></form>`;
}

function taxLine({ total_taxes: taxes }: Stripe.Invoice): string {
  const tax = (taxes ?? []).reduce((sum, { amount }) => sum + amount, 0);
  return tax === 0 ? '' : `<div class="price"><span>Tax</span><b>${money(tax)}</b></div>`;
}

/**
 * Returns the page behind an invoice's `hosted_invoice_url`.
 * @param asks whether the bank of the card on file asks its customer to confirm
 */
export function invoicePage(invoice: Stripe.Invoice, asks = false, problem?: string): string {
  const title = `Invoice ${invoice.number ?? invoice.id}`;
  const lines = invoice.lines.data.map(
    ({ description, amount }) =>
      `<div class="price"><span>${escape(description ?? '')}</span><b>${money(amount)}</b></div>`,
  );
  return shell(
    `${title} (simulated)`,
    `<h1>${escape(title)}</h1><p>For ${escape(invoice.customer_email ?? 'a customer')}, ${escape(invoice.status ?? '')}.</p>
${problemBox(problem)}
${lines.join('')}${taxLine(invoice)}<div class="price"><span>Paid</span><b>${money(invoice.amount_paid)}</b></div>
${invoice.status === 'open' ? payForm(invoice, asks) : '<p>You can close this page.</p>'}`,
  );
}

/** The page behind a checkout session's `url`. */
export function checkoutPage(world: World, session: Stripe.Checkout.Session, problem?: string): string {
  const [line] = checkoutLines(world, session.id).data;
  const one = line?.description ?? 'Subscription';
  const name = line?.quantity && line.quantity > 1 ? `${one} × ${line.quantity}` : one;
  const often = session.mode === 'payment' ? 'Once' : 'Every month';
  const total = money(session.amount_total ?? 0);
  const whole = session.billing_address_collection === 'required';
  const asksPlace = whole || world.state.checkoutOrders[session.id]?.keepsAddress;
  return shell(
    `Pay for ${name} (simulated)`,
    `<h1>${escape(name)}</h1><p>A practice checkout. No card is read and no money moves.</p>
${problemBox(problem)}
<div class="price"><span>${often}${session.customer_details?.email ? `, for ${escape(session.customer_details.email)}` : ''}</span><b>${total}</b></div>
<form method="post">${session.allow_promotion_codes ? PROMOTION : ''}${asksPlace ? whereabouts(whole) : ''}${cards()}<div class="actions">
<button class="pay" name="outcome" value="paid">Pay ${total}${session.automatic_tax.enabled ? ' plus tax' : ''}</button>
<button name="outcome" value="cancelled">Cancel</button></div></form>`,
  );
}

/** The page behind a billing portal session's `url`, where a customer whose payment failed changes the card. */
export function portalPage(customer: Stripe.Customer, problem?: string): string {
  return shell(
    'Payment details (simulated)',
    `<h1>Payment details</h1><p>Choose the card that the next bills go to. An open bill is tried again at once.</p>
${problemBox(problem)}
<div class="price"><span>${escape(customer.email ?? customer.id)}</span></div>
<form method="post">${cards()}<div class="actions">
<button class="pay" name="outcome" value="saved">Save card</button>
<button name="outcome" value="cancelled">Back</button></div></form>`,
  );
}

/** The page behind an account link's `url`, where a creator enters the details for payouts. */
export function onboardingPage(account: Stripe.Account, problem?: string): string {
  return shell(
    'Get paid (simulated)',
    `<h1>Get paid</h1><p>A practice onboarding. No data is required and no real money moves.</p>
${problemBox(problem)}
<div class="price"><span>${escape(account.email ?? account.id)}</span><span>United States</span></div>
<form method="post"><div class="actions">
<button class="pay" name="outcome" value="completed">Complete</button>
<button name="outcome" value="incomplete">Leave incomplete</button></div></form>`,
  );
}

export const noticePage = (title: string, text: string): string =>
  shell(title, `<h1>${escape(title)}</h1><p>${escape(text)}</p>`);

/** @returns undefined if the font is unknown or not installed */
export function readFont(name: string): Buffer | undefined {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (!file) return undefined;
  try {
    return readFileSync(createRequire(import.meta.url).resolve(file));
  } catch {
    return undefined;
  }
}
