import { Controller } from '@nestjs/common';
import { Admission } from '../../../application/accounts/admission.js';
import * as endpoints from '../../../application/accounts/factors/endpoints.js';
import { FactorProofs } from '../../../application/accounts/factors/factor-proofs.js';
import { SecondStep } from '../../../application/accounts/factors/second-step.js';
import { Route, type Call } from '../../platform/http/route.js';
import { browserCookieOf } from '../../platform/http/request.js';
import { CallerDevice } from '../caller-device.js';
import { PENDING_COOKIE, SessionCookie } from '../session-cookie.js';
import { SignedInAnswer } from '../signed-in-answer.js';
import { tooManyCodes } from './too-many-codes.js';

/** Sign-in with a second factor, or with a passkey alone. */
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
  async askConfirmation({ actor }: Call<typeof endpoints.askConfirmation>) {
    const { userId, sessionId } = actor;
    return {
      methods: await this.proofs.methodsOf(userId),
      passkey: await this.proofs.question(userId, `confirm:${sessionId}`),
    };
  }
}
