import { Controller } from '@nestjs/common';
import * as endpoints from '../../application/accounts/factors/endpoints.js';
import { deviceName } from '../../domain/accounts/device-name.js';
import { PasskeyStore } from '../../application/accounts/factors/factor-stores.js';
import { OwnFactors, type FactorOwner } from '../../application/accounts/factors/own-factors.js';
import { browserCookieOf, type Actor } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import {
  CallerDevice,
  PENDING_COOKIE,
  SessionCookie,
  SignedInAnswer,
  tooManyCodes,
} from './signed-in-answer.js';
import { Admission } from '../../application/accounts/sign-in.js';
import { FactorProofs, SecondStep } from '../../application/accounts/factors/second-step.js';

const ownerIn = ({ userId, sessionId, roles, withheldRoles }: Actor): FactorOwner => ({
  userId,
  sessionId,
  isStaff: roles.length > 0 || withheldRoles.length > 0,
});

@Controller()
export class FactorsController {
  constructor(
    private readonly factors: OwnFactors,
    private readonly passkeys: PasskeyStore,
    private readonly devices: CallerDevice,
  ) {}

  @Route(endpoints.listFactors)
  list({ actor }: Call<typeof endpoints.listFactors>) {
    return this.factors.list(ownerIn(actor));
  }

  @Route(endpoints.orderPasskey)
  async orderPasskey({ actor, refuse }: Call<typeof endpoints.orderPasskey>) {
    const ordered = await this.factors.orderPasskey(ownerIn(actor));
    return ordered.accepted ? ordered.order : refuse(ordered.rejection);
  }

  @Route(endpoints.addPasskey)
  async addPasskey({ actor, body, request, refuse }: Call<typeof endpoints.addPasskey>) {
    const name = body.name ?? deviceName(this.devices.of(request).userAgent);
    const added = await this.factors.addPasskey(ownerIn(actor), body.passkey, name);
    return added.accepted ? added.passkey : refuse(added.rejection);
  }

  @Route(endpoints.renamePasskey)
  async rename({ actor, params, body, refuse }: Call<typeof endpoints.renamePasskey>): Promise<void> {
    if (!(await this.passkeys.rename(actor.userId, params.id, body.name))) refuse({ code: 'NotFound' });
  }

  @Route(endpoints.removePasskey)
  async removePasskey({ actor, params, refuse }: Call<typeof endpoints.removePasskey>): Promise<void> {
    const removed = await this.factors.removePasskey(ownerIn(actor), params.id);
    if (!removed.accepted) refuse(removed.rejection);
  }

  @Route(endpoints.orderApp)
  orderApp({ actor }: Call<typeof endpoints.orderApp>) {
    return this.factors.orderApp(ownerIn(actor));
  }

  @Route(endpoints.confirmApp)
  async confirmApp({ actor, body, refuse }: Call<typeof endpoints.confirmApp>): Promise<void> {
    const confirmed = await this.factors.confirmApp(ownerIn(actor), body.code);
    if (!confirmed.accepted) refuse(confirmed.rejection);
  }

  @Route(endpoints.removeApp)
  async removeApp({ actor, refuse }: Call<typeof endpoints.removeApp>): Promise<void> {
    const removed = await this.factors.removeApp(ownerIn(actor));
    if (!removed.accepted) refuse(removed.rejection);
  }

  @Route(endpoints.issueRecoveryCodes)
  async issueRecoveryCodes({ actor, refuse }: Call<typeof endpoints.issueRecoveryCodes>) {
    const issued = await this.factors.issueRecoveryCodes(ownerIn(actor));
    return issued.accepted ? { codes: issued.codes } : refuse(issued.rejection);
  }
}

@Controller()
export class SecondStepController {
  constructor(
    private readonly steps: SecondStep,
    private readonly admission: Admission,
    private readonly proofs: FactorProofs,
    private readonly answers: SignedInAnswer,
    private readonly cookie: SessionCookie,
    private readonly devices: CallerDevice,
  ) {}

  @Route(endpoints.askSecondFactor)
  async ask({ request, refuse }: Call<typeof endpoints.askSecondFactor>) {
    const token = this.cookie.readForSignIn(request, PENDING_COOKIE);
    const question = token ? await this.steps.question(token) : undefined;
    return question ?? refuse({ code: 'SecondFactorExpired' });
  }

  @Route(endpoints.giveSecondFactor)
  async give({ body, request, response, refuse }: Call<typeof endpoints.giveSecondFactor>) {
    const token = this.cookie.readForSignIn(request, PENDING_COOKIE);
    if (!token) return refuse({ code: 'SecondFactorExpired' });
    const { network } = this.devices.of(request);
    const outcome = await this.steps.prove(token, body, { browser: browserCookieOf(request), network });
    if (!outcome.accepted) {
      const { rejection } = outcome;
      if (rejection.code === 'TooManyRequests') throw tooManyCodes(rejection.retryAfterSeconds);
      if (rejection.code === 'SecondFactorExpired') this.cookie.clearForSignIn(response, PENDING_COOKIE);
      return refuse(rejection);
    }
    const { account, authenticatedAt } = outcome;
    const issued = await this.admission.begin(account, this.devices.of(request), {
      authenticatedAt,
      secondFactor: true,
    });
    return this.answers.begun(issued, response);
  }

  @Route(endpoints.askPasskey)
  async askPasskey({ refuse }: Call<typeof endpoints.askPasskey>) {
    return (await this.steps.passkeyQuestion()) ?? refuse({ code: 'NotFound' });
  }

  @Route(endpoints.signInByPasskey)
  async signInByPasskey({ body, request, response, refuse }: Call<typeof endpoints.signInByPasskey>) {
    const account = await this.steps.byPasskey(body.passkey);
    if (!account) return refuse({ code: 'WrongSecondFactor' });
    const issued = await this.admission.begin(account, this.devices.of(request), { secondFactor: true });
    return this.answers.begun(issued, response);
  }

  @Route(endpoints.askConfirmation)
  askConfirmation({ actor }: Call<typeof endpoints.askConfirmation>) {
    return this.proofs.question(actor.userId, `confirm:${actor.sessionId}`);
  }
}
