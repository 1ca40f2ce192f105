import * as accounts from '../../../application/accounts/contract.js';
import { RenamePasskeyBody } from '../../../application/accounts/factors/contract.js';
import { NewAccessToken } from '../../../application/accounts/tokens/contract.js';
import * as administration from '../../../application/administration/contract.js';
import { ReasonBody } from '../../../application/shared/contract.js';
import { BarBody, NewComplaintBody } from '../../../application/complaints/contract.js';
import { NewCollection } from '../../../application/library/collections/contract.js';
import { FileNames } from '../../../application/library/contract.js';
import { SubscribeBody } from '../../../application/mailing-list/contract.js';
import { AdjustingEntryBody, NoteBody } from '../../../application/ledger/closing/closing-contract.js';
import { AccountMap } from '../../../application/ledger/reports/report-contract.js';
import { MaterialityBody } from '../../../application/ledger/tie-outs/tie-out-contract.js';
import { VatRateBody } from '../../../application/ledger/tax/tax-contract.js';
import { PayClaimBody, SplitOffer } from '../../../application/payouts/contract.js';
import { TaxDetailsBody } from '../../../application/payouts/tax-contract.js';
import { NewPromotionCode, RedeemBody } from '../../../application/promotions/contract.js';
import { ProfileBody } from '../../../application/profiles/contract.js';
import {
  ApplicationBody,
  NewPackBody,
  PackInfoBody,
  PackPriceBody,
  SampleChange,
} from '../../../application/publishing/contract.js';
import { CheckoutBody, RedeemGiftBody, WithdrawBody } from '../../../application/subscriptions/contract.js';
import type { Endpoints } from './endpoints.js';

/** Schemas of the bodies that forms send. They need zod, so `check-body.ts` loads them only when a form needs them. */
export const BODIES = {
  'POST /api/auth/sign-in': accounts.SignInBody,
  'POST /api/auth/sign-up': accounts.SignUpBody,
  'POST /api/auth/confirm': accounts.ConfirmBody,
  'POST /api/auth/password/forgot': accounts.ForgotPasswordBody,
  'POST /api/auth/password/reset': accounts.ResetPasswordBody,
  'PUT /api/auth/password': accounts.ChangePasswordBody,
  'PATCH /api/me': accounts.UpdateMeBody,
  'PATCH /api/me/passkeys/:id': RenamePasskeyBody,
  'POST /api/tokens': NewAccessToken,
  'POST /api/collections/own': NewCollection,
  'PUT /api/library/file-names': FileNames,
  'POST /api/mailing-list': SubscribeBody,
  'POST /api/withdrawals': WithdrawBody,
  'POST /api/gifts/redeem': RedeemGiftBody,
  'POST /api/checkout': CheckoutBody,
  'POST /api/complaints': NewComplaintBody,
  'POST /api/admin/complaints/:id/bar': BarBody,
  'POST /api/admin/copies/:id/swap': ReasonBody,
  'PUT /api/creator/profile': ProfileBody,
  'PUT /api/creator/tax-details': TaxDetailsBody,
  'POST /api/creator/application': ApplicationBody,
  'POST /api/creator/packs': NewPackBody,
  'POST /api/creator/packs/:id/splits': SplitOffer,
  'POST /api/creator/promotions': NewPromotionCode,
  'POST /api/promotions/redeem': RedeemBody,
  'PUT /api/creator/packs/:id/price': PackPriceBody,
  'PATCH /api/creator/packs/:id': PackInfoBody,
  'PATCH /api/creator/packs/:id/samples/:sampleId': SampleChange,
  'POST /api/admin/adjustments': administration.AdjustmentBody,
  'POST /api/admin/creator-applications/:userId/decline': ReasonBody,
  'POST /api/admin/creators/:userId/suspend': ReasonBody,
  'POST /api/admin/creator-applications/:userId/ask': ReasonBody,
  'POST /api/admin/approvals/:id/decline': ReasonBody,
  'POST /api/finance/approvals/:id/decline': ReasonBody,
  'POST /api/admin/staff/:userId/roles/:role': ReasonBody,
  'POST /api/admin/staff/:userId/roles/:role/revoke': ReasonBody,
  'DELETE /api/admin/people/:userId/sessions': ReasonBody,
  'POST /api/admin/limits': administration.LimitsBody,
  'POST /api/admin/takedowns': administration.TakedownBody,
  'POST /api/admin/defects': administration.DefectBody,
  'POST /api/admin/refunds': administration.RefundBody,
  'POST /api/finance/claims/payouts': PayClaimBody,
  'POST /api/finance/adjusting-entries': AdjustingEntryBody,
  'POST /api/finance/open-items/notes': NoteBody,
  'POST /api/finance/periods/:month/reopen': ReasonBody,
  'POST /api/finance/missing-facts/purchases': administration.LostPurchaseBody,
  'POST /api/finance/sales-under-review/:purchaseId/release': ReasonBody,
  'PUT /api/finance/account-map': AccountMap,
  'PUT /api/finance/materiality': MaterialityBody,
  'PUT /api/finance/vat/:quarter/rate': VatRateBody,
} as const satisfies { [K in keyof Endpoints]?: Endpoints[K] extends { body: infer Body } ? Body : never };
