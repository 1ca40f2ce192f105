import { sql } from 'kysely';

export const purchases = sql`
  -- All that deciding needs, so that no purchase folds a stream. Each purchase rewrites the row: the free space keeps
  -- its versions on one page.
  create table credit_account (
    user_id text primary key,
    version int not null,
    balance int not null check (balance >= 0),
    lots    jsonb not null
  ) with (fillfactor = 70);
  create table credit_grant (
    lot_id          text primary key,
    user_id         text not null,
    kind            text not null,
    reason          text not null,
    credits         int not null,
    value_micro_usd bigint not null,
    granted_at      timestamptz not null,
    position        bigint not null
  );
  create index credit_grant_of_user on credit_grant (user_id, position);
  create table credit_line (
    user_id       text not null,
    position      bigint not null,
    reason        text not null,
    delta         int not null,
    balance_after int not null,
    created_at    timestamptz not null,
    primary key (user_id, position)
  );

  create table owned_sample (
    buyer_id       text not null,
    sample_id      text not null,
    version        int not null,
    purchase_id    text not null,
    pack_id        text not null,
    creator_id     text not null,
    price_credits  int not null,
    certificate_id text not null,
    audio_version  int not null,
    purchased_at   timestamptz not null,
    -- The row stays: the certificate outlives the return, and another purchase continues the stream.
    returned_at    timestamptz,
    primary key (buyer_id, sample_id)
  );
  create index owned_sample_newest on owned_sample (buyer_id, purchased_at desc, sample_id);
  create index owned_sample_of_pack on owned_sample (pack_id, buyer_id, sample_id);
  create index owned_sample_of_sample on owned_sample (sample_id);
  create table delivery (
    buyer_id     text not null,
    sample_id    text not null,
    delivered_at timestamptz not null,
    primary key (buyer_id, sample_id)
  );
  -- Written in the purchase's own transaction: one outcome a key.
  create table purchase_request (
    user_id      text not null,
    key          text not null,
    request_hash text not null,
    outcome      json not null,
    created_at   timestamptz not null,
    primary key (user_id, key)
  );
  create table certificate (
    certificate_id text primary key,
    buyer_id       text not null,
    sample_id      text not null,
    document       json not null,
    signature      text not null
  );`;

export const payments = sql`
  -- Known before the first payment, so that an invoice finds its listener without trusting its own data.
  create table stripe_customer (
    user_id     text primary key,
    customer_id text not null unique,
    created_at  timestamptz not null,
    -- When the subscription was last compared with the provider's.
    checked_at  timestamptz
  );
  create table stripe_webhook (
    event_id    text primary key,
    type        text not null,
    object_id   text not null,
    created_at  timestamptz not null,
    received_at timestamptz not null,
    -- Null: received and not finished, so it comes again.
    handled_at  timestamptz
  );
  create index stripe_webhook_received on stripe_webhook (received_at);
  create index stripe_webhook_unhandled on stripe_webhook (received_at) where handled_at is null;
  create table stripe_invoice (
    -- Two webhooks may be about one invoice.
    invoice_id text primary key,
    user_id    text not null,
    paid_at    timestamptz not null,
    settled_at timestamptz not null,
    sells_plan boolean not null default true
  );
  create table subscription (
    user_id             text primary key,
    subscription_id     text not null,
    plan                text not null,
    status              text not null,
    current_period_end  timestamptz,
    scheduled_kind      text,
    scheduled_plan      text,
    scheduled_at        timestamptz,
    version             int not null,
    change_kind         text,
    change_plan         text,
    change_requested_at timestamptz,
    change_needs        text,
    change_expires_at   timestamptz,
    check ((scheduled_kind is null) = (scheduled_at is null)),
    check ((change_kind is null) = (change_requested_at is null)),
    check ((change_needs is null) = (change_expires_at is null))
  );
  create index subscription_overdue on subscription (current_period_end) where status <> 'canceled';
  create index subscription_changing on subscription (change_requested_at)
    where change_requested_at is not null;
  create table payment_backfill (
    -- Its first day and its kinds of facts.
    name           text primary key,
    complete_until timestamptz not null
  );
  -- Erased people whom the payment provider still knows.
  create table payer_to_forget (
    user_id     text primary key,
    customer_id text,
    account_id  text,
    erased_at   timestamptz not null,
    -- When the provider was asked to remove name and address.
    blanked_at  timestamptz,
    next_at     timestamptz not null
  );`;

export const payouts = sql`
  create table connect_account (
    creator_id      text primary key,
    account_id      text not null unique,
    charges_enabled boolean not null,
    payouts_enabled boolean not null,
    requirements    text[] not null,
    created_at      timestamptz not null,
    checked_at      timestamptz not null
  );
  -- One row an event, never changed; a return is a negative row. Positions are the order of payment.
  create table earning (
    position        bigint primary key,
    creator_id      text not null,
    purchase_id     text not null,
    sample_id       text not null,
    buyer_id        text not null,
    credits_used    int not null,
    share_micro_usd bigint not null,
    at              timestamptz not null
  );
  create index earning_of_creator on earning (creator_id, position) include (share_micro_usd, at);
  create index earning_of_purchase on earning (purchase_id);
  -- Shares above 60 % of a credit's price in the dearest plan, which wait for a review.
  create index earning_in_doubt on earning (creator_id, at)
    where credits_used > 0 and share_micro_usd > credits_used::bigint * 119880 + 1000;
  create table payout (
    withdrawal_id      text primary key,
    creator_id         text not null,
    version            int not null,
    account_id         text not null,
    amount_usd_cents   bigint not null check (amount_usd_cents > 0),
    -- Of the request, so that a statement never changes.
    spans              jsonb not null,
    deducted_micro_usd bigint not null,
    status             text not null check (status in ('requested', 'unknown', 'paid', 'failed')),
    transfer_id        text unique,
    reversed_usd_cents bigint not null default 0 check (reversed_usd_cents between 0 and amount_usd_cents),
    failure            text,
    requested_at       timestamptz not null,
    settled_at         timestamptz
  );
  -- Enforces one payout in flight, whatever the code does.
  create unique index payout_in_flight on payout (creator_id) where status in ('requested', 'unknown');
  create index payout_newest on payout (creator_id, requested_at desc, withdrawal_id);
  -- The amount that stayed paid, as a trace shows it.
  create index payout_left on payout (((amount_usd_cents - reversed_usd_cents) * 10000))
    where reversed_usd_cents > 0;
  -- Creators without a row are paid on demand.
  create table payout_schedule (
    creator_id text primary key,
    schedule   text not null check (schedule in ('on_demand', 'monthly')),
    -- The last month that was paid, such as 2026-11.
    done_month text collate "C" not null check (done_month ~ '^\\d{4}-\\d{2}$')
  );`;

/** The log can rebuild these tables, except those with the provider's answers. */
export const books = sql`
  -- A debit is positive, a credit negative. Balances are sums of lines, so a trial balance of any time can be made.
  create table journal_line (
    position  bigint not null,
    line      smallint not null,
    at        timestamptz not null,
    fact      text not null,
    account   text collate "C" not null,
    commodity text not null,
    delta     bigint not null check (delta <> 0),
    primary key (position, line)
  );
  create index journal_line_of_account on journal_line (account, position) include (at, delta, commodity);
  -- The provider's movements, by its ids. The columns fact and about tie them to cash_fact, our side.
  create table balance_transaction (
    transaction_id  text primary key,
    position        bigint not null,
    recorded_at     timestamptz not null,
    at              timestamptz not null,
    kind            text not null,
    fact            text,
    about           text,
    gross_micro_usd bigint not null,
    fee_micro_usd   bigint not null,
    moved_micro_usd bigint not null
  );
  create index balance_transaction_about on balance_transaction (about, fact);
  create index balance_transaction_at on balance_transaction (at);
  create index balance_transaction_subjectless on balance_transaction (position)
    where fact is null or about is null;
  create table cash_fact (
    position         bigint primary key,
    at               timestamptz not null,
    fact             text not null,
    about            text not null,
    amount_micro_usd bigint not null check (amount_micro_usd <> 0),
    -- Its own date, if that is in a month before the one in which it was posted.
    earlier_month_at timestamptz
  );
  create index cash_fact_about on cash_fact (about, fact);
  create index cash_fact_at on cash_fact (at);
  -- The only rows that a closed month can have missed.
  create index cash_fact_of_earlier_month on cash_fact (position) where earlier_month_at is not null;
  create table late_fact (
    position         bigint primary key,
    at               timestamptz not null,
    fact             text not null,
    about            text not null,
    amount_micro_usd bigint not null
  );
  create table balance_sweep (
    only_row           boolean primary key default true check (only_row),
    complete_until     timestamptz not null,
    provider_micro_usd bigint,
    compared_position  bigint,
    compared_at        timestamptz,
    -- Up to here each movement of the provider has its fact or is held in suspense.
    settled_position   bigint not null default 0
  );
  create table foreign_balance (
    currency          text primary key,
    provider_micro    bigint not null,
    compared_position bigint not null,
    compared_at       timestamptz not null
  );
  create table tie_out (
    -- Of the report, in hex.
    sha256                text primary key,
    covers_from           timestamptz not null,
    covers_to             timestamptz not null,
    matched               integer not null,
    stripe_micro_usd      bigint not null,
    books_micro_usd       bigint not null,
    only_at_stripe        integer not null,
    only_in_books         integer not null,
    unexplained_micro_usd bigint not null,
    done_by               text not null,
    done_at               timestamptz not null,
    position              bigint not null
  );
  create table tax_line (
    position          bigint primary key,
    at                timestamptz not null,
    -- Such as DE or US-NY. Null: unknown.
    place             text,
    -- Negative for a return.
    net_micro_usd     bigint not null,
    taxable_micro_usd bigint not null,
    tax_micro_usd     bigint not null,
    -- How a sale was taxed, in the provider's words.
    reason            text,
    -- 1 for a sale, 0 for a return.
    sales             smallint not null
  );
  create index tax_line_at on tax_line (at);
  create table margin_month (
    month   text not null,
    plan    text not null,
    account text not null,
    gain    bigint not null,
    primary key (month, plan, account)
  );
  create table margin_progress (
    only_row boolean primary key default true check (only_row),
    upto     bigint not null
  );
  insert into margin_progress (upto) values (0);

  create table traced_id (
    -- Sorted by bytes, so that the beginning of an id is a range of the key.
    id       text collate "C" not null,
    position bigint not null,
    kind     text not null,
    primary key (id, position)
  );
  create table traced_amount (
    -- Without a sign.
    amount_micro_usd bigint not null,
    position         bigint not null,
    primary key (amount_micro_usd, position)
  );
  create table alert (
    key       text primary key,
    kind      text not null,
    text      text not null,
    item      text not null,
    position  bigint not null,
    raised_at timestamptz not null,
    seen_at   timestamptz
  );
  create table book_check (
    night      date primary key,
    started_at timestamptz not null,
    -- Null: in progress.
    checked_at timestamptz,
    position   bigint,
    broken     jsonb
  );
  -- How far each part of the books is proven: the log, its rules, each read model, and the newest events.
  create table book_proof (
    part        text primary key,
    position    bigint not null,
    -- Of the event at that position, in hex; empty before the first.
    hash        text not null,
    began_at    timestamptz not null,
    finished_at timestamptz,
    -- Faults that were found and have not been found right since.
    faults      jsonb not null
  );`;
